import gzip, json, random, time, sys, collections, pickle
from datetime import timedelta
from sqlalchemy import Engine
from matcher.meaning.use_encoder import UniversalSentenceEncoder
from matcher.retellings.opening import MeaningOfStore
from matcher.retellings.asked import Asked
from matcher.retellings.compare_by_meaning import compare_by_meaning
from matcher.provenance.page_facts import facts_of_article
from matcher.comparison import check
from matcher.retellings.check_by_meaning import check_by_meaning
from matcher.explanation.json_shapes import check_json
from storage.engine import transaction
from tests.support.factories import an_article, commit
from tests.support.meaning_store import encode_all

D = "/work/shared/data/"
J = lambda f: [json.loads(l) for l in gzip.open(D + f)]


def test_q(engine: Engine):
    random.seed(11)
    enc = UniversalSentenceEncoder()
    zh = J("zh_articles.jsonl.gz")
    src = J("zh_retold_sources.jsonl.gz")
    ret = J("zh_retold.jsonl.gz")
    texts = {}
    for d in src:
        texts["src-" + d["id"]] = d["text"]
    tr = random.sample(J("en_zh_translations.jsonl.gz"), 40)
    for d in tr[:30]:
        texts["tr-" + d["id"]] = d["zh"]
    sec = J("zh_second_translations.jsonl.gz")
    for d in sec:
        texts["sec-" + d["id"]] = d["zh_a"]
    hn = random.sample(J("zh_hard_negative_pairs.jsonl.gz"), 40)
    for d in hn:
        texts["hn-" + d["id"]] = d["text_a"]
    srcg = {t[i : i + 24] for t in texts.values() for i in range(0, len(t) - 24, 7)}
    n = 0
    for a in random.sample(zh, 600):
        t = a["text"]
        g = [t[i : i + 24] for i in range(0, max(1, len(t) - 24))]
        if sum(x in srcg for x in g) > 0.02 * len(g):
            continue
        texts[f"bg-{n}"] = t
        n += 1
    print("background", n, "stored", len(texts))
    urls = {}
    arts = []
    for i, (k, t) in enumerate(texts.items()):
        u = f"https://h{i}.example/a"
        urls[u] = k
        arts.append(an_article(u, t[:60000]))
    for i in range(0, len(arts), 50):
        commit(engine, arts[i : i + 50])
    t0 = time.process_time()
    encode_all(engine, enc)
    print("encode", time.process_time() - t0, flush=True)
    opened = MeaningOfStore(enc)
    probes = [(d["kind"], "src-" + d["source"] if d["kind"] != "independent" else None, d["text"]) for d in ret]
    probes += [("human-tr", "tr-" + d["id"], d["en"]) for d in tr[:30]]
    probes += [("second", "sec-" + d["id"], d["zh_b"]) for d in sec]
    probes += [("hardneg", None, d["text_b"]) for d in hn]
    probes += [("en-none", None, d["en"]) for d in tr[30:]]
    probes += [("bg", None, texts[f"bg-{i}"]) for i in range(0, 60)]
    res = collections.defaultdict(list)
    T = collections.Counter()
    N = collections.Counter()
    with transaction(engine) as s:
        against = check.compared_with(s)
        for kind, truth, t in probes:
            a = an_article("https://probe.example/a", t[:60000])
            c0 = time.process_time()
            lit = check.check(s, a, against=against)
            c1 = time.process_time()
            m = check_by_meaning(s, a, lit, opened)
            c2 = time.process_time()
            T[kind, "lit"] += c1 - c0
            T[kind, "mean"] += c2 - c1
            N[kind] += 1
            found = {
                urls[x.pages[0].url]: (round(x.score, 3), x.kind.value, x.direction.left_is_source) for x in m.retold
            }
            beside = {urls[x.pages[0].url] for x in m.beside.values()}
            litf = {urls[x.pages[0].url] for x in lit.matches}
            own = kind == "bg"
            others = {k: v for k, v in found.items() if k != truth and k not in litf}
            res[kind].append(
                (truth, truth in found, truth in litf, others, found.get(truth), lit.verdict, m.verdict(lit.verdict))
            )
    for k, v in res.items():
        print(
            f"{k:12} n={len(v)} by meaning {sum(x[1] for x in v)} literal {sum(x[2] for x in v)} either {sum(x[1] or x[2] for x in v)} with others {sum(bool(x[3]) for x in v)} kinds {collections.Counter(x[4][1] for x in v if x[4])} | ms lit {1000 * T[k, 'lit'] / N[k]:.0f} meaning {1000 * T[k, 'mean'] / N[k]:.0f}"
        )
        for x in v:
            if x[3]:
                print("    other", x[0], x[3])

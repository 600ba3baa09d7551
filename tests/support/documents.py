"""PDF and Word files made for tests."""

import io

import docx
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject


def a_pdf(*pages: list[str], password: str = "", **about: str) -> bytes:
    """A PDF of Latin text: a page for each list of lines."""
    writer = PdfWriter()
    for lines in pages:
        page = writer.add_blank_page(600, 800)
        font = DictionaryObject(
            {NameObject(f"/{key}"): NameObject(f"/{value}") for key, value in
             (("Type", "Font"), ("Subtype", "Type1"), ("BaseFont", "Helvetica"), ("Encoding", "WinAnsiEncoding"))}
        )  # fmt: skip
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): writer._add_object(font)})}
        )
        drawn = DecodedStreamObject()
        shown = " ".join(f"({line}) Tj T*" for line in lines)
        drawn.set_data(f"BT /F1 10 Tf 14 TL 40 760 Td {shown} ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(drawn)
    writer.add_metadata({f"/{name}": value for name, value in about.items()})
    if password:
        writer.encrypt(password)
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def a_word_file(*lines: str, **about: str) -> bytes:
    document = docx.Document()
    for name, value in about.items():
        setattr(document.core_properties, name, value)
    for line in lines:
        document.add_paragraph(line)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()

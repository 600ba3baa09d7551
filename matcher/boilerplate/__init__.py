"""What repeats on a site: classifier, learning, survey; texts that people set aside."""

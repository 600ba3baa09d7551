"""What repeats on a site: classifier, learning, survey."""

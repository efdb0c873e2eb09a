"""What every flow works with: stores, images, commits, the journal, working cells, language models."""

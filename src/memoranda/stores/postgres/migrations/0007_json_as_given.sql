-- jsonb writes numbers in a way of its own: 1e308 comes back as an integer and -0.0 without its sign, so that two
-- stores would export the same memory differently. json keeps what it was given; nothing here looks inside.
ALTER TABLE events ALTER COLUMN metadata TYPE json;
ALTER TABLE records ALTER COLUMN value TYPE json;
ALTER TABLE receipts ALTER COLUMN removed TYPE json;

"""Names in stored data and in what models were shown. They are older than the product's name, and stay as they are.

The stores hold such names, too: roles and schemas of PostgreSQL, keys of Redis.
"""

FENCE = "memstrata-memory"
EXPORT = "memstrata-export/1"
RECEIPT = "memstrata-receipt/1"

-- A version that was ended or disputed names the event that says so.
ALTER TABLE records ADD COLUMN contradicted_by TEXT;

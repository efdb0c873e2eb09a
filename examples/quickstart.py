"""Remember, recall, and build the context of a request: no server, no key, no network."""

from memoranda import Memory

memory = Memory.open(":memory:")  # or a file, "memory.db", or "postgresql://…"
ida = memory.scope(tenant="acme", user="ida", channel="tidepool")

ida.add([{"role": "user", "content": "I prefer short emails, five sentences at most."}], conversation="c1")
ida.observe("The code of Tidepool is written in Rust", category="project_details")

for item in ida.recall("How should mails look?"):
    print(f"{item.score:.2f}  {item.text}  ({item.why})")
print(ida.context("Draft a reply to Torben", conversation="c2").text)
memory.close()

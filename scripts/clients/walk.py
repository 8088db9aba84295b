"""What a program with the generated Python client does: a job, its events, a question, a search."""
import json
import os
import time

from client import AuthenticatedClient
from client.api.agent_jobs import create_job, get_job, list_events
from client.api.assistant import ask_assistant, search
from client.models import AssistantMessage, CreateJob, Job, SearchQuery

url, project, domain = (os.environ[name] for name in ("URL", "PROJECT", "DOMAIN"))
admin = AuthenticatedClient(base_url=url, token=os.environ["ADMIN_KEY"], timeout=120)
reader = AuthenticatedClient(base_url=url, token=os.environ["ASSISTANT_KEY"], timeout=120)

job = create_job.sync(project, client=admin, body=CreateJob(prompt="Fix broken links"))
assert isinstance(job, Job), job
while job.status == "active":
    time.sleep(0.5)
    job = get_job.sync(project, job.id, client=admin)
assert job.status == "completed", job

events = list_events.sync(project, job.id, client=admin).events
assert [event.id for event in events] == list(range(1, len(events) + 1)), events
assert events[0].data.prompt == "Fix broken links", events[0]

asked = {"fp": "anonymous", "messages": [{"role": "user", "parts": [{"type": "text", "text": "quickstart"}]}]}
answer = ask_assistant.sync_detailed(domain, client=reader, body=AssistantMessage.from_dict(asked))
frames = [json.loads(line[6:]) for line in answer.content.decode().splitlines() if line.startswith("data: {")]
assert frames[-1]["type"] == "finish", frames

found = search.sync(domain, client=reader, body=SearchQuery(query="quickstart"))
assert found and found[0].path, found

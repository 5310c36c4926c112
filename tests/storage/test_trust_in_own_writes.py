"""What IdeA itself writes is trusted as far as it was before, and nothing else with it."""

import json
from dataclasses import replace
from pathlib import Path

from idea.adapters.storage.agents import AgentFiles
from idea.adapters.storage.trust import ProjectTrust
from idea.domain.agents import AgentDraft, PermissionMode
from tests.storage.untrusted import AGENT, MCP, put


async def test_an_agent_that_the_person_makes_in_the_page_needs_no_approval(
    trust: ProjectTrust, agent_files: AgentFiles, root: Path
) -> None:
    path = root / ".ideai" / "agents" / "main.md"
    agent = await agent_files.create(AgentDraft(name="Main", profile="demo"))
    await trust.record_own_write(path)
    assert (await trust.look()).is_trusted

    await agent_files.save(replace(agent, permissions=PermissionMode.FULL))
    await trust.record_own_write(path)

    assert (await trust.look()).is_trusted


async def test_saving_over_a_change_by_somebody_else_does_not_approve_it(
    trust: ProjectTrust, agent_files: AgentFiles, root: Path
) -> None:
    path = root / ".ideai" / "agents" / "main.md"
    agent = await agent_files.create(AgentDraft(name="Main", profile="demo"))
    await trust.record_own_write(path)
    path.write_text(path.read_text().replace("profile: demo", "profile: demo\nhooks: evil"))

    await agent_files.save(replace(agent, model="opus"))
    await trust.record_own_write(path)

    assert not (await trust.look()).is_trusted


async def test_a_change_after_our_own_write_is_not_approved_with_it(
    trust: ProjectTrust, agent_files: AgentFiles, root: Path
) -> None:
    path = root / ".ideai" / "agents" / "main.md"
    await agent_files.create(AgentDraft(name="Main", profile="demo"))
    path.write_text(AGENT)

    await trust.record_own_write(path)

    assert not (await trust.look()).is_trusted


async def test_an_approved_file_that_got_its_id_from_us_may_be_edited_in_the_page(
    trust: ProjectTrust, agent_files: AgentFiles, root: Path
) -> None:
    path = put(root, ".ideai/agents/main.md", "---\nname: Main\nprofile: demo\n---\n")
    ((agent,), _) = await agent_files.list()
    await trust.approve((await trust.look()).subject_hash)

    await agent_files.save(replace(agent, model="opus"))
    await trust.record_own_write(path)

    assert (await trust.look()).is_trusted


async def test_a_claim_about_a_file_that_we_did_not_write_approves_nothing(trust: ProjectTrust, root: Path) -> None:
    path = put(root, ".mcp.json", json.dumps(MCP))

    await trust.record_own_write(path)

    assert not (await trust.look()).is_trusted

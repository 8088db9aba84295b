import { mayDo, type Caller } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import { deed } from '../../verbs/verb.ts'
import { projectBody, type ProjectPorts } from '../projects/present-project.ts'
import type { ShownHost } from '../projects/setup/project-hosts.ts'
import * as verbs from './verbs.ts'

type Ports = Pick<ProjectPorts, 'hosts' | 'repositoryUrl' | 'warningsOf'>

const getHost = deed(verbs.getHost, (ports: Ports, { caller, project }) => shown(ports, caller, project))

export const connectProject = deed(
  verbs.connectProject,
  async (ports: Ports, { caller, project }, change) => {
    const { project: changed, notes } = await ports.hosts.connect(project, change, caller)
    return { ...projectBody(ports, changed), notes }
  },
)

type Answer = (ports: Ports, caller: Caller, project: Project) => ReturnType<typeof shown>

export const checkHost = (answer: Answer) =>
  deed(verbs.checkHost, async (ports: Ports, { caller, project }) => {
    await ports.hosts.check(project)
    return answer(ports, caller, project)
  })

export const forgetCredential = (answer: Answer) =>
  deed(verbs.forgetCredential, async (ports: Ports, { caller, project }) => {
    await ports.hosts.forgetCredential(project)
    return answer(ports, caller, project)
  })

export const connectionDeeds = [getHost, connectProject, checkHost(shown), forgetCredential(shown)]

async function shown({ hosts }: Ports, caller: Caller, project: Project) {
  const host = await hosts.ask(project)
  return host ? toBody(host, mayDo(caller, 'readWebhookSecret')) : null
}

function toBody({ access, credential, webhook, ...host }: ShownHost, withSecret: boolean) {
  return {
    ...host,
    fork: host.forkPath,
    login: access?.login ?? host.login,
    credential: credential?.of,
    credentialKind: credential?.kind,
    expiresAt: access?.expiresAt,
    defaultBranch: access?.defaultBranch,
    webhook: withSecret ? webhook : { ...webhook, secret: null },
    notes: host.notes ?? [],
    problem: host.problem?.message,
  }
}

import { organizationAsked } from '../../api/organization-for.ts'
import { notFound } from '../../api/errors.ts'
import { forgetRetry } from '../../features/docs/enrich/enrichment.ts'
import { estimateEnrichment as estimate } from '../../features/docs/enrich/estimate-enrichment.ts'
import { listVisibleProjects } from '../../features/projects/allow.ts'
import { findProject } from '../../features/projects/projects.ts'
import { requestSync } from '../../features/projects/sync.ts'
import { AppError } from '../../lib/errors.ts'
import { deed } from '../../verbs/verb.ts'
import { projectUsage } from '../usage/table.ts'
import { projectBody, type ProjectPorts as Ports } from './present-project.ts'
import { removeContextRepository as dropContext } from './setup/change-settings.ts'
import { removeProject as deleteProject } from './setup/connect-project.ts'
import * as verbs from './verbs.ts'

const listProjects = deed(verbs.listProjects, async (ports: Ports, { caller }) =>
  (await listVisibleProjects(ports.store.db, caller)).map((project) => projectBody(ports, project)),
)

export const addProject = deed(verbs.addProject, async (ports: Ports, asking, { organization, ...input }) => {
  const owner = await organizationAsked(ports.store, asking, { verb: 'addProject', organization })
  const added = await ports.hosts.add({ ...input, organizationId: owner.id }, asking.caller)
  return { ...projectBody(ports, added.project), notes: added.notes, hasCredential: added.hasCredential }
})

export const checkRepository = deed(
  verbs.checkRepository,
  async ({ store, hosts }: Ports, asking, { organization, ...input }) => {
    const owner = await organizationAsked(store, asking, { verb: 'checkRepository', organization })
    return hosts.tryRepository({ ...input, organizationId: owner.id }, asking.caller)
  },
)

const getProject = deed(verbs.getProject, async (ports: Ports, { project }) => projectBody(ports, project))

export const addContextRepository = deed(
  verbs.addContextRepository,
  async (ports: Ports, { caller, project }, named) =>
    projectBody(ports, { ...project, settings: await ports.hosts.addContext(project, named, caller) }),
)

export const removeContextRepository = deed(
  verbs.removeContextRepository,
  async (ports: Ports, { project }, { name }) => {
    if (!project.settings.contextRepositories?.some((one) => one.name === name))
      throw notFound('context repository', name)
    return projectBody(ports, { ...project, settings: await dropContext(ports.store, project.id, name) })
  },
)

const getUsage = deed(verbs.getUsage, async ({ store }: Ports, { project }, { days }) =>
  projectUsage(store.db, project.id, days),
)

export const syncProject = deed(verbs.syncProject, async (ports: Ports, { project }) => {
  const { store, queue } = ports
  await store.transaction((tx) => requestSync(tx, queue, project.id))
  return projectBody(ports, (await findProject(store.db, project.id)) ?? project)
})

const estimateEnrichment = deed(
  verbs.estimateEnrichment,
  async (ports: Ports, { project }, { questions, vectors }) => {
    const { enrichment } = project.settings
    const named = questions ?? vectors
    const models = named === undefined ? enrichment : { questions, vectors }
    if (models?.questions === undefined && models?.vectors === undefined)
      throw new AppError('invalid', 'Name a model: `questions`, `vectors` or both')
    const ceiling = enrichment?.ceiling
    return estimate(ports, project.id, { ...models, ceiling })
  },
)

const enrichProject = deed(verbs.enrichProject, async (ports: Ports, { project }) => {
  if (project.enrichment === undefined)
    throw new AppError('invalid', 'No model is set that reads the sections: set `enrichment` first')
  await ports.store.transaction(async (tx) => {
    await forgetRetry(tx, project.id)
    await ports.queue.send(tx, 'enrich', project.id)
  })
  return projectBody(ports, (await findProject(ports.store.db, project.id)) ?? project)
})

const removeProject = deed(verbs.removeProject, async (ports: Ports, { project }) => ({
  ...projectBody(ports, project),
  notes: await deleteProject(ports, project),
}))

export const projectDeeds = [
  listProjects,
  addProject,
  checkRepository,
  getProject,
  addContextRepository,
  removeContextRepository,
  getUsage,
  syncProject,
  estimateEnrichment,
  enrichProject,
  removeProject,
]

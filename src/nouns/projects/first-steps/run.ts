import { listVisibleProjects, type Caller } from '../../../features/projects/allow.ts'
import type { Models } from '../../../integrations/models/model.ts'
import type { Store } from '../../../store/database.ts'
import { deed } from '../../../verbs/verb.ts'
import { hideFirstSteps, readFirstSteps } from './table.ts'
import * as verbs from './verbs.ts'

interface Ports {
  store: Store
  models: Pick<Models, 'defaultModel'>
}

const getFirstSteps = deed(verbs.getFirstSteps, (ports: Ports, { caller }) => read(ports, caller))

export const changeFirstSteps = deed(verbs.changeFirstSteps, async (ports: Ports, { caller }, { hidden }) => {
  await ports.store.transaction((tx) => hideFirstSteps(tx, caller, hidden))
  return read(ports, caller)
})

export const firstStepDeeds = [getFirstSteps, changeFirstSteps]

async function read({ store, models }: Ports, caller: Caller) {
  const projects = await listVisibleProjects(store.db, caller)
  const progress = await readFirstSteps(store.db, caller, projects, models)
  return {
    hidden: progress.isHidden,
    job: progress.hasJob,
    reviewed: progress.hasReviewed,
    ownProject: progress.hasOwnProject,
    model: progress.hasModel,
    assistant: progress.hasAssistant,
  }
}

import { requireOrganization } from '../../api/organization-for.ts'
import {
  changeLimitSizes as setSizes,
  checkLimitSizes,
  readLimitSizes,
  sizedLimits,
} from '../../features/projects/limits.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { OfferedModels, TestModel } from '../../integrations/models/offered-model.ts'
import { noteAct } from '../../store/acts.ts'
import type { Store } from '../../store/database.ts'
import { deed, type Asking } from '../../verbs/verb.ts'
import type { LimitUseNow } from './table.ts'
import * as verbs from './verbs.ts'

interface Ports {
  store: Store
  offeredModels: OfferedModels
  testModel: TestModel
  limitUses(project: Project): Promise<LimitUseNow[]>
}

const listModels = deed(verbs.listModels, ({ offeredModels }: Ports) => offeredModels())

const testModel = deed(verbs.testModel, async (ports: Ports, _, { model }) => ({
  outcome: await ports.testModel(model),
}))

const getLimits = deed(verbs.getLimits, ({ limitUses }: Ports, { project }) => limitUses(project))

const listLimitSizes = deed(verbs.listLimitSizes, async ({ store }: Ports, asking, { organization }) =>
  sizesIn(store, await named(store, asking, 'listLimitSizes', organization)),
)

const changeLimitSizes = deed(
  verbs.changeLimitSizes,
  async ({ store }: Ports, asking, { organization, limits }) => {
    const id = await named(store, asking, 'changeLimitSizes', organization)
    const sizes = Object.fromEntries(
      Object.entries(limits).map(([name, count]) => [name, count ?? undefined]),
    )
    checkLimitSizes(sizes)
    noteAct({
      target: Object.entries(sizes)
        .map(([name, count]) => `${name}=${count ?? 'default'}`)
        .join(' '),
    })
    await store.transaction((tx) => setSizes(tx, id, sizes))
    return sizesIn(store, id)
  },
)

export const usageDeeds = [listModels, testModel, getLimits, listLimitSizes, changeLimitSizes]

/** The id of the organization that is named; undefined for the server as a whole. */
async function named(
  store: Store,
  { caller }: Asking,
  verb: 'listLimitSizes' | 'changeLimitSizes',
  organization: string | undefined,
): Promise<string | undefined> {
  return organization === undefined
    ? undefined
    : (await requireOrganization(store, { caller, verb, organization })).id
}

async function sizesIn({ db }: Store, id: string | undefined) {
  const server = await readLimitSizes(db)
  const own = id === undefined ? {} : await readLimitSizes(db, id)
  return sizedLimits.map(({ name, seconds, count }) => ({
    name,
    seconds,
    size: own[name] ?? server[name] ?? count,
    default: count,
    server: server[name],
    organization: own[name],
  }))
}

import * as pinned from '../../features/assistant/pinned/pinned-answers.ts'
import * as weak from '../../features/assistant/pinned/weak-answers.ts'
import { oneSpelling } from '../../features/docs/search/spelling.ts'
import { askedBy } from '../../features/projects/allow.ts'
import type { Store } from '../../store/database.ts'
import { deed } from '../../verbs/verb.ts'
import * as verbs from './verbs.ts'

interface Ports {
  store: Store
}

const listWeakAnswers = deed(verbs.listWeakAnswers, async ({ store }: Ports, { project }, { limit }) => {
  const answers = await weak.listWeakAnswers(store.db, project.id, { limit, spelling: oneSpelling })
  return { answers }
})

const listPinnedAnswers = deed(verbs.listPinnedAnswers, async ({ store }: Ports, { project }) => ({
  pinnedAnswers: await pinned.listPinnedAnswers(store.db, project.id),
}))

export const pinAnswer = deed(verbs.pinAnswer, async ({ store }: Ports, { project, caller }, input) => {
  const pinning = { ...input, by: askedBy(caller) }
  const id = await store.transaction((tx) => pinned.pinAnswer(tx, project.id, pinning, oneSpelling))
  return pinned.getPinnedAnswer(store.db, project.id, id)
})

export const changePinnedAnswer = deed(
  verbs.changePinnedAnswer,
  async ({ store }: Ports, { project, caller }, { pinned: id, ...change }) => {
    const pinning = { ...change, by: askedBy(caller) }
    await store.transaction((tx) => pinned.changePinnedAnswer(tx, project.id, id, pinning, oneSpelling))
    return pinned.getPinnedAnswer(store.db, project.id, id)
  },
)

export const unpinAnswer = deed(verbs.unpinAnswer, async ({ store }: Ports, { project }, { pinned: id }) => {
  const before = await pinned.getPinnedAnswer(store.db, project.id, id)
  await store.transaction((tx) => pinned.unpinAnswer(tx, project.id, id))
  return before
})

export const pinnedAnswerDeeds = [
  listWeakAnswers,
  listPinnedAnswers,
  pinAnswer,
  changePinnedAnswer,
  unpinAnswer,
]

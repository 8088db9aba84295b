import { answerTasks } from '../../../../lib/threads/answer-tasks.ts'
import { decodeText } from '../../../../site/text/encoding.ts'
import { changedNames } from './changed-names.ts'
import { isGenerated, lookUpNames } from './look-up-names.ts'
import type { NamesThread } from './read-names.ts'

answerTasks<NamesThread>(({ diff, pages }, owner) => {
  owner.reading('the change')
  const changed = changedNames(diff)
  owner.reading('the pages')
  const texts = pages.flatMap(({ path, content }) => {
    const text = decodeText(content)?.text
    return text === undefined ? [] : [{ path, text }]
  })
  const names = lookUpNames(changed, texts)
  const named = new Set(names.flatMap(({ places }) => places.map(({ path }) => path)))
  return {
    names,
    generated: texts.filter((page) => named.has(page.path) && isGenerated(page)).map(({ path }) => path),
  }
})

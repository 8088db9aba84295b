import { answerTasks } from '../../lib/threads/answer-tasks.ts'
import { extractLinks } from '../../site/markdown/extract-links.ts'
import type { LinksThread } from './page-markdown.ts'

answerTasks<LinksThread>((text) => extractLinks(text).map(({ start, end, href }) => ({ start, end, href })))

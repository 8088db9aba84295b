import { readDocument } from './site/restructured/document.ts'
import { restructuredFacts } from './site/restructured/facts.ts'
import { readFileSync } from 'node:fs'
const deep = Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}* x\n`).join('\n')
for (const text of [
  deep,
  '*a '.repeat(50_000),
  '`a '.repeat(50_000),
  '|a '.repeat(50_000),
  '[a]_ '.repeat(20_000),
  'a_'.repeat(50_000),
  `+${'-+'.repeat(2000)}\n`.repeat(300),
  ':a:`b` '.repeat(20000),
  '`a`: '.repeat(20000),
  '``a '.repeat(20000),
  '**a '.repeat(20000),
  '\\'.repeat(100000) + '*',
  readFileSync('/tmp/rst32/src/scrapy/docs/news.rst', 'utf8'),
  readFileSync('/tmp/rst32/src/pytest/doc/en/changelog.rst', 'utf8'),
]) {
  const s = performance.now()
  const d = readDocument(text.split('\n'))
  const m = performance.now()
  restructuredFacts(text)
  console.log(
    text.slice(0, 12).replaceAll('\n', '|'),
    text.length,
    (m - s).toFixed(0),
    (performance.now() - m).toFixed(0),
  )
}

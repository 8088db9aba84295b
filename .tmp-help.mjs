import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const run = (...a) => execFileSync(process.execPath, ['src/main.ts', ...a, '--help'], { encoding: 'utf8' })
const out = []
const walk = (path) => {
  const text = run(...path); out.push(`### ${path.join(' ')}\n${text}`)
  const block = /Commands:\n([^]*?)(?:\n\n|$)/.exec(text)?.[1] ?? ''
  for (const m of block.matchAll(/^ {2}([a-z][\w-]*)/gm)) if (m[1] !== 'help') walk([...path, m[1]])
}
walk([])
writeFileSync(process.argv[2], out.join('\n'))

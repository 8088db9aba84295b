import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// Run by find-expressions.ts as `record-loaded.ts <root> <file>…`: loads the files and prints what they made of RegExp.
const [root = '', ...files] = process.argv.slice(2)
const recorded: { file: string; line: number; source: string; flags: string }[] = []
const prefix = `${pathToFileURL(root).href}/`

globalThis.RegExp = new Proxy(RegExp, {
  construct: (target, parts, newTarget) => record(Reflect.construct(target, parts, newTarget)),
  apply: (target, self, parts) => record(Reflect.apply(target, self, parts)),
})

for (const file of files) await import(pathToFileURL(join(root, file)).href)
process.stdout.write(JSON.stringify(recorded), () => process.exit(0))

function record(made: unknown): object {
  const caller = /\((.*):(\d+):\d+\)$|at (?:async )?(\S+):(\d+):\d+$/.exec(
    (new Error().stack ?? '').split('\n')[3] ?? '',
  )
  const address = caller?.[1] ?? caller?.[3] ?? ''
  if (!(made instanceof RegExp)) throw new TypeError('RegExp made no regular expression')
  if (address.startsWith(prefix))
    recorded.push({
      file: address.slice(prefix.length),
      line: Number(caller?.[2] ?? caller?.[4]),
      source: made.source,
      flags: made.flags,
    })
  return made
}

import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { readLine, type GitAnswer, type GitOrder } from './waiting-git.ts'

// For tests, as a process of its own: runs git for each line that comes, until there are no more.
const [orders = '', answers = ''] = process.argv.slice(2)
const from = openSync(orders, 'r')
const to = openSync(answers, 'w')
const read = readLine((chunk) => readSync(from, chunk))
for (let line = read(); line !== ''; line = read()) {
  const { input, ...order } = JSON.parse(line) as GitOrder
  const { status, stdout, stderr, error } = spawnSync('git', order.args, {
    env: order.env,
    input: Buffer.from(input, 'base64'),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  const answer: GitAnswer = { code: status, stdout, stderr: error ? error.message : stderr }
  const left = Buffer.from(`${JSON.stringify(answer)}\n`)
  for (let at = 0; at < left.length;) at += writeSync(to, left, at)
}
closeSync(to)

import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

// Runs all checks except the tests in parallel, and prints the output of each. The last line is "N passed, N
// failed". `lint` judges the types as well; `typecheck` is that part alone, for whoever writes.
const checks = ['lint', 'format:check', 'deadcode']
/** A fifth of the lint's work is the garbage collection of Go; the limit keeps it from filling a small machine. */
const roomy = { GOGC: 'off', GOMEMLIMIT: '4GiB' }
const codes = await Promise.all(
  checks.map(async (check) => {
    const child = spawn('npm', ['run', '-s', check], {
      env: { ...process.env, ...roomy },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    console.log(`== ${check}: ${code === 0 ? 'passed' : 'failed'}\n${out}${err}`.trimEnd())
    return code
  }),
)
const failed = codes.filter((code) => code !== 0).length
console.log(`${checks.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

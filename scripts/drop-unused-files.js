// Run after every install: takes out of the packages what nothing here reads, a tenth of all that they bring.
// Plain JavaScript, which any Node runs that npm may run on.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const packages = 'node_modules'
/** Where code came from, for debuggers; Node shows positions in what is run. */
const isSourceMap = (name) => /\.[cm]?(?:js|ts)\.map$/.test(name)

if (existsSync(packages))
  for (const name of readdirSync(packages, { recursive: true }))
    if (isSourceMap(name)) rmSync(join(packages, name), { force: true })
// For additions that are compiled on the machine.
rmSync(join(packages, `node-linux-${process.arch}`, 'include'), { recursive: true, force: true })

#!/usr/bin/env node
// Plain JavaScript, so that an old Node says one clear line instead of failing on what it does not know.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
// Each line got late in its life what the program needs; 21 never did. The package's "engines" say the same.
if (major < 20 || major === 21 || (major === 20 && minor < 18) || (major === 22 && minor < 8)) {
  console.error(
    `Docwright needs Node 20.18, 22.8 or later; this is ${process.versions.node} (${process.execPath})`,
  )
  process.exit(1)
}
// The next start need not compile everything again, nor need threads and the helper that starts git.
// Kept in the person's own cache folder: what lies there is run. Node 20 does not have it.
const { default: module } = await import('node:module')
const { homedir } = await import('node:os')
const { join } = await import('node:path')
process.env.NODE_COMPILE_CACHE ??= join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'docwright')
module.enableCompileCache?.()
// Node 22 warns that its SQLite is new, which helps nobody here.
const warn = process.emitWarning
process.emitWarning = (warning, ...rest) => {
  if (rest[0] !== 'ExperimentalWarning' && rest[0]?.type !== 'ExperimentalWarning')
    warn.call(process, warning, ...rest)
}
// Without a command it does what most people want of it.
if (process.argv.length === 2) process.argv.push('serve')
await import('../dist/main.js')

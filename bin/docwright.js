#!/usr/bin/env node
// Plain JavaScript, so that an old Node says one clear line instead of failing on the first type annotation.
// The sources say `using`, which Node 24 is the first to know; only types are stripped from them.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `From its source, Docwright needs Node 24 or later; this is ${process.versions.node} (${process.execPath})`,
  )
  process.exit(1)
}
// The next start need not strip types and compile everything again, nor need threads and the helper that starts git.
// Kept in the person's own cache folder: what lies there is run. Loaded here: older versions do not have it.
const { enableCompileCache } = await import('node:module')
const { homedir } = await import('node:os')
const { join } = await import('node:path')
process.env.NODE_COMPILE_CACHE ??= join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'docwright')
enableCompileCache()
await import('../src/main.ts')

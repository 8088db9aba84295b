import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startServer } from '../tests/server.ts'

/**
 * Generates clients from openapi.json with the tools that people use, and runs a small program with each against a
 * server: it creates a job, waits for it, reads its events, asks and searches. `npm run try:clients [language…]`; it
 * needs the registries of packages, and leaves out what this machine has no tools for.
 */
const run = promisify(execFile)
const walks = join(import.meta.dirname, 'clients')
const document = join(import.meta.dirname, '../openapi.json')

type Do = (program: string, ...given: string[]) => Promise<void>
interface Client {
  /** What has to be on the machine. */
  program: string
  walk(folder: string, run: Do): Promise<void>
}

const clients: Record<string, Client> = {
  typescript: {
    program: 'npm',
    async walk(folder, start) {
      await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}')
      await start(
        'npm',
        'install',
        'openapi-typescript@7.13.0',
        'openapi-fetch@0.17.0',
        'typescript@5.9.3',
        '@types/node@24.19.2',
      )
      await start('npx', 'openapi-typescript', document, '-o', 'schema.ts')
      await copyFile(join(walks, 'walk.ts'), join(folder, 'walk.ts'))
      const checks = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--types', 'node']
      await start('npx', 'tsc', ...checks, '--allowImportingTsExtensions', 'walk.ts')
      await start(process.execPath, 'walk.ts')
    },
  },
  python: {
    program: 'python3',
    async walk(folder, start) {
      await start('python3', '-m', 'venv', 'venv')
      const bin = join(folder, 'venv/bin')
      await start(join(bin, 'pip'), 'install', '-q', 'openapi-python-client==0.29.1')
      const output = ['--output-path', 'client', '--meta', 'none']
      await start(join(bin, 'openapi-python-client'), 'generate', '--path', document, ...output)
      await copyFile(join(walks, 'walk.py'), join(folder, 'walk.py'))
      await start(join(bin, 'python'), 'walk.py')
    },
  },
  go: {
    program: 'go',
    async walk(folder, start) {
      await mkdir(join(folder, 'api'))
      await start('go', 'mod', 'init', 'walk')
      const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
      const output = ['-generate', 'types,client', '-package', 'api', '-o', 'api/api.go']
      await start('go', 'run', generator, ...output, document)
      await copyFile(join(walks, 'walk.go'), join(folder, 'walk.go'))
      await start('go', 'mod', 'tidy')
      await start('go', 'run', '.')
    },
  },
  java: {
    program: 'mvn',
    async walk(folder, start) {
      const maven = (...given: string[]) => start('mvn', '-q', '-B', ...given)
      await maven(
        'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy',
        '-Dartifact=org.openapitools:openapi-generator-cli:7.25.0',
        '-Dmdep.stripVersion=true',
        '-DoutputDirectory=.',
      )
      const output = ['--generator-name', 'java', '--output', '.']
      await start('java', '-jar', 'openapi-generator-cli.jar', 'generate', '-i', document, ...output)
      await copyFile(join(walks, 'Walk.java'), join(folder, 'src/main/java/Walk.java'))
      await maven('compile', 'org.codehaus.mojo:exec-maven-plugin:3.5.0:java', '-Dexec.mainClass=Walk')
    },
  },
}

const asked = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(clients)
await using server = await startServer()
const { projectId, domain, adminKey, assistantKey } = server.welcome
const env = {
  ...process.env,
  URL: server.url,
  PROJECT: projectId,
  DOMAIN: domain,
  ADMIN_KEY: adminKey,
  ASSISTANT_KEY: assistantKey,
}
for (const language of asked) {
  const client = clients[language]
  const isThere = client && (await run('which', [client.program]).then(Boolean, () => false))
  if (!isThere) {
    console.log(`LEFT OUT ${language}: its tools are not on this machine`)
    continue
  }
  const folder = await mkdtemp(join(tmpdir(), `docwright-client-${language}-`))
  try {
    await client.walk(folder, async (program, ...given) => {
      await run(program, given, { cwd: folder, env, maxBuffer: 1e8 })
    })
    console.log(`ok      ${language}`)
  } catch (error) {
    process.exitCode = 1
    console.log(`failed  ${language}: ${error instanceof Error ? error.message : String(error)}`)
    // Compilers name their errors here.
    if (error instanceof Error && 'stdout' in error) console.log(error.stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

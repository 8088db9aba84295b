import { readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { newPostgres, prefix } from './postgres-server.ts'
import { embeddedArchive, prepareDatabase } from './prepared-stores.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A real PostgreSQL server; each test file makes a database of its own in it. */
    postgresUrl: string
    /** A database of it that is migrated and empty, to make others from. */
    preparedDatabase: string
  }
}

/** Starts one PostgreSQL for the whole run, or takes the one that TEST_DATABASE_URL names, and prepares stores once for all. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  // Test files and the servers that they start read it; the measurements do without.
  process.env['TEST_STORE_ARCHIVE'] = await embeddedArchive()
  const given = process.env['TEST_DATABASE_URL']
  if (given) {
    await providePrepared(project, given)
    return () => Promise.resolve()
  }
  await sweepLeftBehind()
  const postgres = await newPostgres()
  await providePrepared(project, postgres.url)
  return () => postgres.remove()
}

async function providePrepared(project: TestProject, address: string): Promise<void> {
  const name = `test_prepared_${process.pid}`
  const client = new Client({ connectionString: address })
  await client.connect()
  await client.query(`drop database if exists ${name}`)
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(address)
  url.pathname = `/${name}`
  await prepareDatabase(url.href)
  project.provide('postgresUrl', address)
  project.provide('preparedDatabase', name)
}

// A killed run leaves its server behind; a run that is still going keeps its own.
async function sweepLeftBehind(): Promise<void> {
  for (const name of (await readdir(tmpdir())).filter((entry) => entry.startsWith(prefix))) {
    if (isAlive(Number(name.slice(prefix.length).split('-')[0]))) continue
    const folder = join(tmpdir(), name)
    const pid = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => undefined)
    if (pid) {
      try {
        process.kill(Number(pid.split('\n')[0]), 'SIGQUIT')
      } catch {
        // It was gone already.
      }
    }
    await rm(folder, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return Number.isInteger(pid) && pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { everyEndpoint } from '../../tests/every-endpoint.ts'

interface Described {
  paths: Record<string, Record<string, { operationId?: string; tags?: string[]; summary?: string }>>
}

const { paths } = JSON.parse(await readFile('openapi.json', 'utf8')) as Described

const endpoints = everyEndpoint()

it('describes every operation but the pages for people', () => {
  const isPage = (path: string): boolean =>
    /^\/(?:$|projects|add-project(?:\/check)?$|find$|first-steps$|reference(?:$|\/)|server$|widget\.m?js$|sign-(?:in|out)(?:$|\/)|join|new-password$|people|account|audit|assets\/|live\/|docs\/\{domain\}\/(?:\*|-\/images\/\{oid\})$)/.test(
      path,
    )
  for (const { route } of endpoints) {
    const described = paths[route.path]?.[route.method]
    expect([route.method, route.path, described !== undefined]).toEqual([
      route.method,
      route.path,
      !isPage(route.path),
    ])
    expect(described?.operationId).toBe(route.operationId)
  }
})

it('names each operation once, in a group and with a summary', () => {
  const all = Object.values(paths).flatMap((methods) => Object.values(methods))
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
  for (const { operationId, tags, summary } of all)
    expect([operationId, tags?.length, summary !== undefined && summary !== '']).toEqual([
      operationId,
      1,
      true,
    ])
})

it('has an operation over HTTP for every form of the dashboard', () => {
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  const forms = endpoints.filter(({ route }) => route.hide === true && route.method === 'post')
  expect(forms.length).toBeGreaterThan(20)
  for (const { route, formOf } of forms) {
    expect([route.path, formOf]).toEqual([route.path, expect.any(String)])
    expect(operations).toContain(formOf)
  }
})

import { jsonSchema, type ToolSet } from 'ai'
import type { CheckColumn, ViolationColumn } from '../../src/store/columns.ts'
import { isRecord } from '../../src/lib/is-record.ts'
import type { OpenToolbox } from '../../src/features/agent/workspace/toolbox.ts'

const schema = jsonSchema({ type: 'object' })

/** For tests: three tools over the real workspace, checks that hate "BROKEN" and frown at "CLUMSY", and a policy that guards
 * `.github` names of hosts after HOST, and has
 * people look at names after LOOK. */
export const openTestToolbox: OpenToolbox = ({ workspace, project }) => {
  const tools: ToolSet = {
    read_file: { inputSchema: schema },
    write_file: { inputSchema: schema },
    ask_person: { inputSchema: schema },
    finish: { inputSchema: schema },
  }
  return Promise.resolve({
    tools,
    changesFiles: (name) => !['read_file', 'ask_person', 'finish'].includes(name),
    call: async (name, input) => {
      const { path, content } = isRecord(input) ? input : {}
      if (typeof path !== 'string') return { error: { code: 'invalid_input', message: 'path is missing' } }
      if (name === 'read_file') {
        const bytes = await workspace.read(path)
        return bytes ? { path, content: Buffer.from(bytes).toString() } : { error: { code: 'not_found' } }
      }
      workspace.write(path, Buffer.from(String(content)))
      return { path }
    },
    describe: (name) => name,
    newProblems: () =>
      Promise.resolve(
        workspace.changes().flatMap(({ path, content }) => {
          const text = Buffer.from(content ?? []).toString()
          return [
            ...(text.includes('BROKEN') ? [problem(path, 'error', 'It is broken')] : []),
            ...(text.includes('CLUMSY') ? [problem(path, 'warning', 'It is clumsy')] : []),
          ]
        }),
      ),
    overview: async () => undefined,
    newHosts: () => Promise.resolve([]),
    [Symbol.dispose]: () => undefined,
    violations: () =>
      Promise.resolve(
        workspace.changes().flatMap(({ path, content }): ViolationColumn[] => [
          ...(path.startsWith('.github/') ? [{ path, line: null, message: 'It is protected' }] : []),
          ...[
            ...Buffer.from(content ?? [])
              .toString()
              .matchAll(/HOST (\S+)/g),
          ]
            .map(([, value = '']) => value)
            .filter((value) => !project.settings.allowedHosts.includes(value))
            .map((value) => ({
              path,
              line: 1,
              message: `It loads from ${value}`,
              approval: { kind: 'host' as const, value },
            })),
          ...[
            ...Buffer.from(content ?? [])
              .toString()
              .matchAll(/LOOK (\S+)/g),
          ]
            .map(([, value = '']) => `component ${value}`)
            .filter((value) => !project.settings.allowedParts.includes(value))
            .map((value) => ({
              path,
              line: 1,
              message: `It has a new ${value}`,
              degree: 'look' as const,
              approval: { kind: 'part' as const, value },
            })),
        ]),
      ),
  })
}

function problem(path: string, severity: CheckColumn['severity'], message: string): CheckColumn {
  return { check: 'link', severity, path, line: 1, message, hint: null }
}

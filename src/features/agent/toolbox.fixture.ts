import { jsonSchema } from 'ai'
import type { ToolSet } from 'ai'
import { isRecord } from './text/is-record.ts'
import type { OpenToolbox } from './toolbox.ts'

const schema = jsonSchema({ type: 'object' })

/** For tests: three tools over the real workspace, checks that hate "BROKEN" and a policy that guards `.github`. */
export const openTestToolbox: OpenToolbox = ({ workspace }) => {
  const tools: ToolSet = {
    read_file: { inputSchema: schema },
    write_file: { inputSchema: schema },
    finish: { inputSchema: schema },
  }
  return Promise.resolve({
    tools,
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
        workspace
          .changes()
          .filter(({ content }) => content && Buffer.from(content).includes('BROKEN'))
          .map(({ path }) => ({
            check: 'link',
            severity: 'error',
            path,
            line: 1,
            message: 'It is broken',
            hint: null,
          })),
      ),
    newHosts: () => Promise.resolve([]),
    violations: () =>
      Promise.resolve(
        workspace
          .changes()
          .filter(({ path }) => path.startsWith('.github/'))
          .map(({ path }) => `${path} is protected`),
      ),
  })
}

import { resolvePath, folderOf } from '../text/paths.ts'
import type { Finding } from './problem.ts'
import { type DataReport, readData } from './read-data.ts'
import type { FileVersion } from './tree-change.ts'

/** Of blobs: every round of a turn asks for the same ones. */
const reports = new Map<string, DataReport>()
const maxReports = 1000

const data = /\.(?:json|jsonc|ya?ml)$/i

/** Whether JSON and YAML can be read, and OpenAPI documents hold together. */
export function checkData({ path, text, oid, view }: FileVersion): Finding[] {
  if (!data.test(path)) return []
  // How lenient a file is read hangs on its name.
  const key = `${oid} ${path}`
  const report = reports.get(key) ?? readData(text, path)
  if (reports.size >= maxReports) reports.clear()
  reports.set(key, report)
  const kind = /\.ya?ml$/i.test(path) ? 'YAML' : 'JSON'
  if (report.error !== undefined) {
    const { line, message } = report.error
    const hint = `Repair the ${kind} at this line`
    return [{ check: 'data', line, message: `The file is no valid ${kind}: ${message}`, hint, same: 'data' }]
  }
  const files = view.oids()
  return report.openapi
    .filter(({ file }) => {
      const target = file === undefined ? undefined : resolvePath(folderOf(path), file)
      return file === undefined || (target !== undefined && !files.has(target))
    })
    .map(({ line, message, hint }) => ({ check: 'openapi', line, message, hint }))
}

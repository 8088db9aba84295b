import { withoutHidden } from '../../../../lib/text/plain-text.ts'
import { isRecord } from '../../../../lib/is-record.ts'

const verbs: Readonly<Record<string, string>> = {
  read_file: 'Read',
  edit_file: 'Edit',
  write_file: 'Write',
  delete_page: 'Delete',
  revert_file: 'Take back the changes of',
  set_front_matter: 'Set front matter of',
  add_to_navigation: 'Add to the navigation:',
  resolve_conflict: 'Resolve conflicts in',
}

/** Describes a call for people who follow the job: `Read guides/install.md`. The input is untrusted. */
export function describeCall(name: string, input: unknown): string {
  const fields = isRecord(input) ? input : {}
  const of = (key: string) => short(fields[key])
  switch (name) {
    case 'list_files':
      return `List ${of('glob') || of('path') || 'all files'}`
    case 'list_pages':
      return of('query') === '' ? 'List the pages' : `Look for pages: ${of('query')}`
    case 'grep':
      return `Find ${JSON.stringify(of('pattern'))}`
    case 'search_docs':
      return `Search the docs: ${of('query')}`
    case 'move_page':
      return `Move ${of('from')} to ${of('to')}`
    case 'move_lines':
      return `Move lines of ${of('from')} to ${of('to')}`
    case 'copy_page':
      return `Copy ${of('from')} to ${of('to')}`
    case 'replace_in_files':
      return `${fields['apply'] === true ? 'Replace' : 'Look where to replace'} ${JSON.stringify(of('search'))} by ${JSON.stringify(of('replace'))}`
    case 'history':
      return `Read the history${of('path') === '' ? '' : ` of ${of('path')}`}${of('from') === '' ? '' : ` since ${of('from')}`}`
    case 'show_commit':
      return `Look at commit ${of('commit')}`
    case 'diff':
      return `Look at the changes so far${of('path') === '' ? '' : ` of ${of('path')}`}`
    case 'plan':
      return 'Write down the plan'
    case 'check':
      return 'Check links, anchors, images and navigation'
    case 'ask_person':
      return `Ask: ${of('question')}`
    case 'finish':
      return `Finish: ${of('title')}`
    default:
      return `${verbs[name] ?? short(name)} ${of('path')}`.trim()
  }
}

function short(value: unknown): string {
  if (typeof value !== 'string') return ''
  const line = withoutHidden(value.slice(0, 5000)).replaceAll(/\s+/g, ' ').trim()
  return (line.length > 120 ? `${line.slice(0, 120)}…` : line).toWellFormed()
}

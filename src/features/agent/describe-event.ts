import type { JobEvent } from './events.ts'
import { counted } from '../../lib/text/counted.ts'

const fields = ['message', 'path', 'title', 'summary', 'commit', 'branch', 'link', 'number'] as const

/** An event for people who follow a job: what it is called, and its data in one line. The texts are untrusted. */
export function describeEvent({ type, data }: Pick<JobEvent, 'data'> & { type: string }): {
  name: string
  text: string
} {
  const line = detailsOf(type, data)
  return {
    name: type.replaceAll(/[._]/g, ' '),
    text: line.length > 300 ? `${line.slice(0, 300)}…` : line,
  }
}

function detailsOf(type: string, data: Record<string, unknown>): string {
  const of = (name: string): string => textOf(data[name])
  if (type === 'tool') {
    const call = of('description') || of('tool')
    return data['ok'] === false ? `${call} · failed` : call
  }
  if (type === 'file.changed') return `${of('path')} · ${of('change')}`
  if (type === 'step') return [of('step'), of('text')].filter((text) => text !== '').join(' · ')
  if (type === 'checks')
    return `${counted(numberOf(data['errors']), 'problem')}, ${counted(numberOf(data['warnings']), 'warning')}`
  const by = type.startsWith('pull_request.') && of('by') !== '' ? [`by ${of('by')}`] : []
  return fields
    .map((name) => (name === 'link' ? of(name).replace(/\?.*/s, '') : of(name)))
    .concat(by)
    .filter((text) => text !== '')
    .join(' · ')
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).replaceAll(/\s+/g, ' ') : ''
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

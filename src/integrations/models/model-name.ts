import { AppError } from '../../lib/errors.ts'
import { isProviderName, providers, type ProviderName } from './providers.ts'

/** A model of a vendor or of a server of one's own, as `provider:id` names it. */
export interface ModelName {
  provider: ProviderName
  id: string
}

/** @throws AppError `invalid` that says how names are written */
export function parseModelName(name: string): ModelName {
  const { provider, id } = split(name)
  if (!isProviderName(provider)) throw new AppError('invalid', unknownProvider(name, provider))
  if (!isId(provider, id))
    throw new AppError('invalid', `${shown(name)} names no model: write ${provider}: and the model's id`)
  return { provider, id }
}

/** Undefined for the built-in model and for names of another form. */
export function readModelName(name: string): ModelName | undefined {
  const { provider, id } = split(name)
  return isProviderName(provider) && isId(provider, id) ? { provider, id } : undefined
}

function split(name: string): { provider: string; id: string } {
  const colon = name.indexOf(':')
  return { provider: name.slice(0, Math.max(0, colon)), id: name.slice(colon + 1) }
}

/** Some providers put the id into the path of the address. */
function isId(provider: ProviderName, id: string): boolean {
  return (
    /^\w[\w.:/@+-]{0,199}$/.test(id) && !id.includes('..') && !(provider === 'google' && id.includes('/'))
  )
}

function unknownProvider(name: string, provider: string): string {
  const known = ['builtin', ...Object.keys(providers).map((key) => `${key}:…`)].join(', ')
  const vendor = provider === '' ? vendorOf(name) : undefined
  if (vendor !== undefined) return `Write the model ${shown(name)} with its provider: ${vendor}:${name}`
  const what =
    provider === '' ? `There is no model ${shown(name)}` : `There is no provider ${shown(provider)}`
  return `${what}: models are named ${known}`
}

function vendorOf(name: string): ProviderName | undefined {
  if (!/^[\w.-]{1,100}$/.test(name)) return undefined
  if (/^(gpt-|chatgpt-|o\d)/.test(name)) return 'openai'
  if (name.startsWith('claude-')) return 'anthropic'
  return name.startsWith('gemini-') ? 'google' : undefined
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}

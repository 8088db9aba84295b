/** What a key can be allowed to do besides its everyday use. A key only has it if it names it. */
const administration = [
  'projects:read',
  'projects:write',
  'pulls:read',
  'pulls:write',
  'keys',
  'people:read',
  'audit:read',
] as const

/** The scopes that each kind of key can be restricted to. */
export const scopesOfKind = {
  admin: [
    'jobs:read',
    'jobs:write',
    'webhooks',
    'repository:read',
    'insights:read',
    'insights:write',
    'insights:delete',
    ...administration,
  ],
  assistant: ['assistant', 'search'],
} as const

export type AdminScope = (typeof scopesOfKind.admin)[number]
export type AssistantScope = (typeof scopesOfKind.assistant)[number]

const named: ReadonlySet<string> = new Set(administration)

/** Whether a key may do what a scope opens. Keys that name none get nothing for administration with a new version. */
export function hasScope(key: { scopes: readonly string[] }, scope: AdminScope | AssistantScope): boolean {
  return key.scopes.length === 0 ? !named.has(scope) : key.scopes.includes(scope)
}

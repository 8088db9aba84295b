/** What somebody may do in an organization. Each role may do what those after it may. */
export type Role = 'owner' | 'editor' | 'viewer'

/** Somebody who is signed in. */
export interface Person {
  id: string
  /** As it appears beside comments and in commits. */
  name: string
  /** Absent for those who signed in with a link of the operator. */
  email?: string | undefined
  /** How the commits that they cause name them, for people with an e-mail address; absent: by the name alone. */
  credit?: 'author' | 'co-author' | undefined
  /** Whether they came by a link of the operator, who may do everything in every organization. */
  isOperator: boolean
  /** The role by organization id. */
  roles: ReadonlyMap<string, Role>
  /** Whether this person may make organizations. */
  addsOrganizations?: boolean
}

const order = ['viewer', 'editor', 'owner'] as const satisfies Role[]
export const roles = ['owner', 'editor', 'viewer'] as const satisfies Role[]

export function isAtLeast(role: Role, needed: Role): boolean {
  return order.indexOf(role) >= order.indexOf(needed)
}

/** Whoever signed in with a link from the server itself. */
export const operatorPerson: Person = {
  id: 'operator',
  name: 'The operator',
  isOperator: true,
  roles: new Map(),
}

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

import type { Generated } from 'kysely'
import type { Maybe, MaybeTime, Time } from './column-types.ts'

type RoleColumn = 'owner' | 'editor' | 'viewer'

/** Accounts, sessions and the audit log. */
export interface PeopleTables {
  people: {
    id: string
    name: string
    email: string
    email_verified: Generated<boolean>
    image: Maybe<string>
    co_author: Generated<boolean>
    adds_organizations: Generated<boolean>
    first_steps_hidden_at: MaybeTime
    created_at: Time
    updated_at: Time
  }
  person_logins: {
    id: string
    person_id: string
    provider: string
    account_id: string
    password: Maybe<string>
    created_at: Time
    updated_at: Time
  }
  passkeys: {
    id: string
    name: Maybe<string>
    person_id: string
    credential_id: string
    created_at: MaybeTime
  }
  verifications: { id: string; identifier: string; value: string; expires_at: Time }
  memberships: { organization_id: string; person_id: string; role: RoleColumn; created_at: Time }
  invitations: {
    id: string
    organization_id: string
    hash: string
    role: RoleColumn
    note: Generated<string>
    invited_by: string
    created_at: Time
    expires_at: Time
    used_at: MaybeTime
    used_by: Maybe<string>
    email: Maybe<string>
    revoked_at: MaybeTime
  }
  password_links: { hash: string; person_id: string; created_at: Time; expires_at: Time }
  acts: {
    id: Generated<number>
    created_at: Time
    verb: string
    actor_kind: 'person' | 'key' | 'operator'
    actor_id: string
    actor_name: string
    organization_id: Maybe<string>
    project_id: Maybe<string>
    project: Maybe<string>
    target: Maybe<string>
    address: Maybe<string>
  }
  sign_in_links: {
    hash: string
    created_at: Time
    expires_at: Time
    used_at: MaybeTime
  }
  sign_in_networks: {
    person_id: string
    network: string
    last_used_at: Time
  }
  app_grants: {
    id: string
    person_id: string
    client_hash: string
    name: string
    resource: string
    created_at: Time
    last_used_at: MaybeTime
    expires_at: Time
  }
  app_tokens: {
    hash: string
    grant_id: string
    kind: 'code' | 'access' | 'refresh'
    challenge: Maybe<string>
    redirect_uri: Maybe<string>
    expires_at: Time
    used_at: MaybeTime
  }
  sessions: {
    id: string
    hash: string
    csrf_token: string
    person_id: Maybe<string>
    address: Maybe<string>
    device: Maybe<string>
    organization_id: Maybe<string>
    created_at: Time
    expires_at: Time
    last_used_at: Time
  }
}

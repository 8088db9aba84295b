import type { Tx } from '../../store/database.ts'

/** Allows or forbids somebody to make organizations. Undefined when nobody has the address. */
export async function grantOrganizations(
  tx: Tx,
  email: string,
  allowed: boolean,
): Promise<{ id: string; name: string } | undefined> {
  return tx
    .updateTable('people')
    .set({ adds_organizations: allowed })
    .where('email', '=', email)
    .returning(['id', 'name'])
    .executeTakeFirst()
}

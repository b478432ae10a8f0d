import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { SealedTable } from '../../../platform/postgres/sealed-rows.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type DeploymentSecret = { name: string; sealed: string }

export function selectSecrets(db: Queryable): Promise<DeploymentSecret[]> {
  return db.query<DeploymentSecret>(sql`select name, sealed from deployment_secrets order by name`)
}

/** When several processes start at once, one writes the first rows; processes already serving can still read. */
export async function lockSecrets(tx: Tx): Promise<void> {
  await tx.query(sql`lock table deployment_secrets in exclusive mode`)
}

export async function insertSecret(tx: Tx, { name, sealed }: DeploymentSecret, createdAt: Date): Promise<void> {
  await tx.query(sql`
    insert into deployment_secrets (name, sealed, created_at) values (${name}, ${sealed}, ${createdAt})`)
}

export const deploymentSecrets: SealedTable = {
  name: 'deployment_secrets',
  select: (db) => db.query(sql`select array[name] as key, sealed from deployment_secrets order by name`),
  async update(tx, changes) {
    await tx.query(sql`
      update deployment_secrets s set sealed = c.renewed
      from unnest(${changes.map(({ key }) => key[0])}::text[], ${changes.map(({ sealed }) => sealed)}::text[],
        ${changes.map(({ renewed }) => renewed)}::text[]) as c (name, sealed, renewed)
      where s.name = c.name and s.sealed = c.sealed`)
  },
}

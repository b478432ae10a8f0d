import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { USUAL_CONNECTIONS } from '../cases.ts'
import type { Run } from '../creation.ts'
import { analyse, makeDatabases } from '../databases.ts'
import type { Kind } from '../load.ts'
import { runLoad } from '../load.ts'
import { ratioFrom } from '../report.ts'
import { startServer } from '../servers.ts'

/** What creation must reach: through HTTP and signatures, against SQL alone on the same machine in the same minute. */
const TARGETS = { withdraw: 2.0, deposit: 1.3 } as const
const SECONDS = 4
const WARM_UP_MS = 2500

/** Vezne's creations per second ÷ those of pgbench with the same rows written by the smallest transaction. */
export async function benchPgbench({ serverUrl, quick, say, stops }: Run, kinds: Kind[]) {
  if (spawnSync('pgbench', ['--version']).error)
    throw new Error('pgbench is not installed. On Debian: apt-get install postgresql-contrib')
  const { callers, urls } = await makeDatabases(serverUrl, ['bench_pgbench', 'bench_vezne'])
  const [pgbenchUrl = '', vezneUrl = ''] = urls
  const merchants = await listMerchantsFor(pgbenchUrl)
  const server = await startServer('vezne', vezneUrl)
  stops.push(server.stop)
  const load = async (kind: Kind, measureMs: number) => {
    const shared = { kind, servers: [server.address], connections: USUAL_CONNECTIONS, callers }
    return (await runLoad({ ...shared, warmUpMs: 0, measureMs })).perSecond
  }
  for (const kind of kinds) {
    say(`warming up: ${kind}`)
    await load(kind, WARM_UP_MS)
    pgbench(pgbenchUrl, kind, merchants)
  }
  await Promise.all([pgbenchUrl, vezneUrl].map(analyse))
  const ratios = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]))
  const rounds = quick ? 3 : 9
  for (let round = 1; round <= rounds; round++) {
    for (const kind of kinds) {
      const alone = pgbench(pgbenchUrl, kind, merchants)
      const vezne = await load(kind, SECONDS * 1000)
      ratios.get(kind)?.push(vezne / alone)
      say(`round ${round}/${rounds}  ${kind.padEnd(8)} pgbench ${Math.round(alone)}/s  vezne ${Math.round(vezne)}/s`)
    }
  }
  return [...ratios].map(([kind, all]) => {
    const [ratio, atLeast] = [ratioFrom(all), TARGETS[kind]]
    return { what: `${kind} ${USUAL_CONNECTIONS}: vezne ÷ pgbench`, ratio, atLeast, reached: ratio.median >= atLeast }
  })
}

/** Merchants by a number, which pgbench can draw. */
async function listMerchantsFor(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query(`
    create table bench_merchants as
      select row_number() over ()::int as place, m.id, (select min(id) from collecting_accounts where currency = 'TRY') as account_id
      from merchants m where m.name like 'Bench %'`)
  await client.query('alter table bench_merchants add primary key (place)')
  await client.end()
  return rowCount ?? 0
}

/** Transactions per second. */
function pgbench(url: string, kind: Kind, merchants: number): number {
  const { hostname, port, username, password, pathname } = new URL(url)
  const file = join(import.meta.dirname, `${kind}.sql`)
  const options = ['-n', '-M', 'prepared', '-c', `${USUAL_CONNECTIONS}`, '-j', '2', '-T', `${SECONDS}`, '-f', file]
  const address = ['-h', hostname, '-p', port, '-U', username, '-D', `merchants=${merchants}`, pathname.slice(1)]
  const env = { PATH: process.env['PATH'], PGPASSWORD: decodeURIComponent(password) }
  const { stdout, stderr, status } = spawnSync('pgbench', [...options, ...address], { encoding: 'utf8', env })
  const [, tps] = /^tps = ([\d.]+)/m.exec(stdout) ?? []
  if (status !== 0 || tps === undefined) throw new Error(`pgbench failed (${status}):\n${stderr}${stdout}`)
  return Number(tps)
}

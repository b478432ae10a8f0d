import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

// Upgrades are rolling: the version before runs against the new schema for a while. So a migration adds (expand); what is no
// longer used is removed one release later (contract), with a line that says since when.

const FOLDER = join(import.meta.dirname, '../packages/server/migrations')
/** After the baseline, which makes an empty database. */
const FIRST_ROLLING = 2

const BREAKS_VERSION_BEFORE: [pattern: RegExp, why: string][] = [
  [/\bdrop\s+(?:table|column|view|function|type)\b/, 'the version before still uses it'],
  [/\brename\b/, 'the version before knows the old name only; add the new one, copy, drop later'],
  [
    /\balter\s+column\s+\w+\s+(?:set\s+data\s+)?type\b/,
    'rewrites the table under a lock, and the version before sends the old type',
  ],
  [/\bset\s+not\s+null\b/, 'the version before may not write it'],
  [
    /\badd\s+column\s+(?:if\s+not\s+exists\s+)?\w+\s+(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/,
    'the version before does not write it: give it a default',
  ],
  // A trigger before truncate refuses it.
  [/(?<!\bbefore\s)\btruncate\b|\bdelete\s+from\b/, 'the version before may still read it'],
]

/** A statement may break a rule if the line before says since when no running version needs it. */
const CONTRACT = /--\s*contract:/

/** Statements of an online migration run one by one, and again if it was interrupted. */
const REPEATABLE =
  /^\s*(?:$|create\s+(?:or\s+replace|table\s+if\s+not\s+exists|(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists)|drop\s+index\s+concurrently\s+if\s+exists|alter\s+table\s+\w+\s+validate\s+constraint)/

/** Clauses of `alter table` that change the catalogue only, and may run twice. */
const REPEATABLE_CLAUSES =
  /^\s*alter\s+table\s+\w+(?:\s+(?:add\s+column\s+if\s+not\s+exists\s+[^,()]+|alter\s+column\s+\w+\s+drop\s+not\s+null|drop\s+constraint\s+if\s+exists\s+(\w+),\s+add\s+constraint\s+\1\s+check\s*\([\s\S]*?\)\s+not\s+valid),?)+\s*$/

function problems(text: string): string[] {
  // The body of a function does not run with the migration.
  const written = text.toLowerCase().replace(/(create\s+(?:or\s+replace\s+)?function[^$]*)\$\$[^]*?\$\$/g, '$1')
  const statements = written.split(/;[ \t]*$/m)
  const made = new Set([...text.matchAll(/create table (?:if not exists )?(\w+)/g)].map(([, table]) => table))
  const online = text.startsWith('-- online:')
  return statements.flatMap((statement) => {
    if (CONTRACT.test(statement)) return []
    const code = statement.replace(/--.*$/gm, '').replace(/'(?:[^']|'')*'/g, "''")
    const [, indexed] = /\bcreate\s+(?:unique\s+)?index\s+(?!concurrently)\w+\s+on\s+(\w+)/.exec(code) ?? []
    if (indexed !== undefined && !made.has(indexed))
      return [
        `index on ${indexed}: writes wait until it is built; begin the file with "-- online:" and write "concurrently"`,
      ]
    if (online && !REPEATABLE.test(code) && !REPEATABLE_CLAUSES.test(code))
      return [`${code.trim().slice(0, 60)}: an online migration may run twice`]
    return BREAKS_VERSION_BEFORE.flatMap(([pattern, why]) => {
      const [found] = pattern.exec(code) ?? []
      return found === undefined ? [] : [`${found.replace(/\s+/g, ' ')}: ${why}`]
    })
  })
}

for (const name of readdirSync(FOLDER).filter((file) => Number(file.slice(0, 4)) >= FIRST_ROLLING)) {
  test(`migrations/${name}: the version before can run against it`, () => {
    assert.deepEqual(problems(readFileSync(join(FOLDER, name), 'utf8')), [])
  })
}

for (const [statement, breaks] of [
  ['alter table t add column a int;', false],
  ['alter table t add column a int not null default 0;', false],
  ['create table t (a int);\ncreate index t_a on t (a);', false],
  ['-- online: a\ncreate index concurrently if not exists t_a on t (a);', false],
  ['-- online: a\ncreate unique index concurrently if not exists t_a on t (a);', false],
  ['-- online: a\nalter table t add column if not exists a int, alter column b drop not null;', false],
  ['-- online: a\nalter table t drop constraint if exists c, add constraint c check (a in (1, 2)) not valid;', false],
  ['-- online: a\nalter table t validate constraint c;', false],
  ['-- online: a\nalter table t add column a int;', true],
  ['-- online: a\nalter table t add constraint c check (a > 0) not valid;', true],
  ['-- online: a\nalter table t drop constraint if exists c, add constraint c check (a > 0);', true],
  ['create index t_a on t (a);', true],
  ['-- online: a\ncreate index concurrently t_a on t (a);', true],
  ['-- online: a\ncreate unique index concurrently t_a on t (a);', true],
  ['-- online: a\nupdate t set a = 1;', true],
  ["comment on column t.a is 'drop column later';", false],
  ['-- contract: not read since 0.3\nalter table t drop column a;', false],
  ['alter table t add column a int not null;', true],
  ['alter table t drop column a;', true],
  ['alter table t rename column a to b;', true],
  ['alter table t alter column a type bigint;', true],
  ['alter table t alter column a set not null;', true],
  ['create trigger t_never_emptied before truncate on t for each statement execute function f();', false],
  ['create function f() returns trigger language plpgsql as $$\nbegin\n  delete from t;\nend\n$$;', false],
  ['do $$\nbegin\n  delete from t;\nend\n$$;', true],
  ['delete from t;', true],
  ['truncate t;', true],
] as const) {
  test(`${breaks ? 'refused' : 'allowed'}: ${statement.replaceAll('\n', ' ')}`, () => {
    assert.equal(problems(statement).length > 0, breaks)
  })
}

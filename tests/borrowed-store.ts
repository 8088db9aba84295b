import type { Store } from '../src/store/database.ts'
import type { Engine } from '../src/store/embedded/engine.ts'

/** One embedded store for the test files of a process, one after the other: to open one costs seconds of CPU. */
const kept: typeof globalThis & { docwrightEmbedded?: { store: Store; isFree: boolean } | undefined } =
  globalThis

const tables = `select format('%I.%I', nspname, relname) as name, quote_ident(nspname || '.' || relname) as saved
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 'p') and not relispartition
    and nspname not in ('pg_catalog', 'information_schema', 'as_opened')`

/** Keeps the rows that a migrated store has by itself, and the names of its tables. */
const keepRows = `create schema as_opened;
  do $$ declare one record; has_rows boolean; begin
    for one in ${tables} loop
      execute format('select exists (table %s)', one.name) into has_rows;
      if has_rows then execute format('create table as_opened.%s as table %s', one.saved, one.name); end if;
    end loop;
    create table as_opened.names as ${tables};
  end $$`

/** The same rows again, no others, and numbers from 1 on. */
const bringBack = `do $$ declare one record; has_rows boolean; begin
    set local session_replication_role = replica;
    for one in select name from (${tables}) as now where name not in (select name from as_opened.names) loop
      execute format('drop table %s cascade', one.name);
    end loop;
    for one in select name, saved from as_opened.names loop
      execute format('select exists (table %s)', one.name) into has_rows;
      if has_rows then execute format('delete from %s', one.name); end if;
      if to_regclass('as_opened.' || one.saved) is not null then
        execute format('insert into %s overriding system value table as_opened.%s', one.name, one.saved);
      end if;
    end loop;
    for one in select format('%I.%I', schemaname, sequencename) as name from pg_sequences loop
      execute format('alter sequence %s restart', one.name);
    end loop;
  end $$`

/**
 * A store that `open` made, as if it had just been made; while another file's tests have it, and after it broke, a new one.
 * To dispose of it gives it back.
 */
export async function borrowEmbedded(open: () => Promise<Store>): Promise<Store> {
  const known = kept.docwrightEmbedded
  if (known?.isFree === false) return open()
  const one = known?.store.broken.aborted === false ? known : { store: await open(), isFree: false }
  if (one !== known) await engineOf(one.store).run(keepRows)
  one.isFree = false
  kept.docwrightEmbedded = one
  return {
    ...one.store,
    async [Symbol.asyncDispose]() {
      if (one.isFree || one.store.broken.aborted) return
      await engineOf(one.store).run(bringBack)
      one.isFree = true
    },
  }
}

function engineOf({ connection }: Store): Engine {
  if (typeof connection === 'string') throw new Error('expected an embedded store')
  return connection
}

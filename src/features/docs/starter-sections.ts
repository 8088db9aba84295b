import { sql } from 'kysely'
import type { Page } from '../../site/pages/page.ts'
import { seesPage } from '../../site/pages/page-groups.ts'
import type { Reader } from '../../store/database.ts'
import { readQuestionRows } from './enrich/section-questions.ts'
import { sectionTexts } from './enrich/section-texts.ts'
import { findPage, readPages } from './pages.ts'

/** A section as questions are made of it. */
interface StarterSection {
  path: string
  title: string
  language: string | undefined
  heading: string | undefined
  questions: string[] | undefined
}

/** Pages at the beginning of the navigation that are looked at. */
const mostCentral = 20
/** Sections of a page. */
const mostSections = 40

/**
 * The sections of the page that a name means, and of the first pages of the navigation in the same language and version, page by
 * page, with the questions that a model wrote for them. Only of pages that every reader sees.
 * @param sites addresses below which the pages are
 */
export async function starterSections(
  db: Reader,
  project: { id: string; settings: { enrichment?: { questions?: string | undefined } | undefined } },
  path: string | undefined,
  sites: readonly string[] = [],
): Promise<{ own: StarterSection[]; central: StarterSection[][] }> {
  const { id, settings } = project
  const here = path === undefined ? undefined : await findPage(db, id, path, sites)
  const first = await firstPages(db, id, here)
  const names = [
    ...new Set([...(here && !here.hidden && seesPage(here.groups, []) ? [here.path] : []), ...first]),
  ]
  const pages = await readPages(db, id, names)
  const texts = new Map(pages.map((page) => [page.path, sectionTexts(page).slice(0, mostSections)]))
  const model = settings.enrichment?.questions
  const hashes = [...texts.values()].flat().flatMap((text) => text?.hash ?? [])
  const written =
    model === undefined || hashes.length === 0
      ? new Map<string, { questions: string[] }>()
      : await readQuestionRows(db, id, model, hashes)
  const sectionsOf = (page: Page): StarterSection[] => [
    // The page as a whole, for its title.
    { path: page.path, title: page.title, language: page.language, heading: undefined, questions: undefined },
    ...(texts.get(page.path) ?? []).flatMap((text) => {
      if (!text) return []
      const heading = text.headings.length === 0 ? undefined : text.headings.join(' – ')
      const { path: file, title, language } = page
      return [{ path: file, title, language, heading, questions: written.get(text.hash)?.questions }]
    }),
  ]
  const named = (file: string): Page[] => pages.filter((page) => page.path === file)
  return {
    own: here ? named(here.path).flatMap(sectionsOf) : [],
    central: first
      .filter((file) => file !== here?.path)
      .flatMap(named)
      .map(sectionsOf),
  }
}

interface Labels {
  language: string | undefined
  version: string | undefined
}

/** In the language and version of a page, or of the very first one. */
async function firstPages(db: Reader, projectId: string, like: Labels | undefined): Promise<string[]> {
  const same = like
    ? sql`and language is not distinct from ${like.language ?? null} and version is not distinct from ${like.version ?? null}`
    : sql``
  const { rows } = await sql<{ path: string; language: string | null; version: string | null }>`
    select pages.path, language, version from navigations
    cross join lateral jsonb_array_elements(entries) with ordinality as entry(value, place)
    join pages on pages.project_id = navigations.project_id and pages.path = entry.value->>'path'
    where navigations.project_id = ${projectId} and not hidden and groups = '[]' ${same}
    order by place limit ${like ? mostCentral : 1}
  `.execute(db)
  const [first] = rows
  if (like || !first) return rows.map(({ path }) => path)
  const { language, version } = first
  return firstPages(db, projectId, { language: language ?? undefined, version: version ?? undefined })
}

import { readJobRevisions, readJobsVersions } from '../../../features/agent/job-versions.ts'
import { readAllProjectsVersion, readProjectVersions } from '../../../features/projects/project-versions.ts'
import type { Reader } from '../../../store/database.ts'
import { nameOf, type ReadVersions, type Subject } from './changes.ts'

/** Reads the versions of what live pages show, with at most one statement for each kind. */
export function createVersionReader(db: Reader): ReadVersions {
  return async (subjects) => {
    const projectIds = idsOf(subjects, 'project')
    const [jobs, projects, projectJobs, all] = await Promise.all([
      readJobRevisions(db, idsOf(subjects, 'job')),
      readProjectVersions(db, projectIds),
      readJobsVersions(db, projectIds),
      subjects.some(({ of }) => of === 'projects') ? readAllProjectsVersion(db) : '',
    ])
    return new Map(
      subjects.map((subject) => [nameOf(subject), versionOf(subject, { jobs, projects, projectJobs, all })]),
    )
  }
}

interface Found {
  jobs: ReadonlyMap<string, string>
  projects: ReadonlyMap<string, string>
  projectJobs: ReadonlyMap<string, string>
  all: string
}

function versionOf(subject: Subject, { jobs, projects, projectJobs, all }: Found): string {
  if (subject.of === 'projects') return all
  if (subject.of === 'job') return jobs.get(subject.id) ?? ''
  const own = projects.get(subject.id)
  return own === undefined ? '' : `${own}.${projectJobs.get(subject.id) ?? ''}`
}

function idsOf(subjects: readonly Subject[], kind: 'job' | 'project'): string[] {
  return subjects.flatMap((subject) => (subject.of === kind ? [subject.id] : []))
}

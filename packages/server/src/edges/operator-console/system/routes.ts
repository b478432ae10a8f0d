import type { Shown } from '../../web/console/routes.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { systemFacts } from './facts.ts'
import { systemPage } from './page.ts'

export const SYSTEM: Section = {
  views: [{ path: '/system', show: system }],
  forms: [],
  said: { tr: {}, en: {} },
}

async function system(app: OperatorDeps, { viewer }: Asked): Promise<Shown> {
  return { page: systemPage(viewer, await systemFacts(app)) }
}

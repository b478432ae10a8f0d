import type { Asked as AnyAsked, Form as AnyForm, Section as AnySection } from '../web/console/routes.ts'
import type { OperatorDeps } from './deps.ts'
import type { Words } from './words-tr.ts'

export type OperatorKind = { app: OperatorDeps; words: Words }
export type Asked = AnyAsked<OperatorKind>
export type Form = AnyForm<OperatorKind>
export type Section = AnySection<OperatorKind>

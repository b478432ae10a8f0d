import type { LayoutProblems } from '@vezne/bank-formats'
import type { FileNotices } from '../../kernel/refusals/files.ts'
import type { Sentences } from './sentence.ts'

/** What is wrong with how tables of a bank or order files are described. Names of settings are those of the file. */
export const LAYOUT_SENTENCES: Sentences<Pick<FileNotices, keyof LayoutProblems>> = {
  layout_not_json: { en: 'it is not JSON', tr: 'JSON değil' },
  layout_not_object: {
    en: ({ at }) => `${at || 'it'} must be an object`,
    tr: ({ at }) => `${at || 'düzen'} bir nesne olmalı`,
  },
  layout_not_list: {
    en: ({ at, most }) => `${at} must be a list${most === null ? '' : ` of at most ${most}`}`,
    tr: ({ at, most }) => `${at} ${most === null ? '' : `en çok ${most} ögeli `}bir liste olmalı`,
  },
  layout_key_unknown: {
    en: ({ at, key, known }) => `${at === '' ? '' : `${at}: `}there is no setting “${key}”; known: ${known.join(', ')}`,
    tr: ({ at, key, known }) =>
      `${at === '' ? '' : `${at}: `}“${key}” diye bir ayar yok; bilinenler: ${known.join(', ')}`,
  },
  layout_text_wrong: {
    en: ({ at, most }) => `${at} must be a text of 1 to ${most} characters`,
    tr: ({ at, most }) => `${at} 1–${most} karakterlik bir metin olmalı`,
  },
  layout_texts_wrong: {
    en: ({ at, most }) => `${at} must be a text, or a list of 1 to ${most} texts`,
    tr: ({ at, most }) => `${at} bir metin ya da 1–${most} metinlik bir liste olmalı`,
  },
  layout_choice_wrong: {
    en: ({ at, known }) => `${at} must be one of ${known.join(', ')}`,
    tr: ({ at, known }) => `${at} şunlardan biri olmalı: ${known.join(', ')}`,
  },
  layout_choices_wrong: {
    en: ({ at, known }) => `${at} must be a list of ${known.join(', ')}`,
    tr: ({ at, known }) => `${at} şunlardan oluşan bir liste olmalı: ${known.join(', ')}`,
  },
  layout_number_wrong: {
    en: ({ at, least, most }) => `${at} must be a whole number from ${least} to ${most}`,
    tr: ({ at, least, most }) => `${at} ${least} ile ${most} arasında bir tam sayı olmalı`,
  },
  layout_form_wrong: {
    en: ({ at, example }) => `${at} must look like ${example}`,
    tr: ({ at, example }) => `${at} ${example} biçiminde olmalı`,
  },
  layout_column_missing: {
    en: ({ at, amounts }) => `${at} is missing${amounts === null ? '' : `: amounts are “${amounts}”`}`,
    tr: ({ at, amounts }) => `${at} eksik${amounts === null ? '' : `: tutarların düzeni “${amounts}”`}`,
  },
  layout_column_twice: {
    en: ({ column }) => `the column “${column}” is given twice`,
    tr: ({ column }) => `“${column}” sütunu iki kez yazılmış`,
  },
  layout_label_wrong: {
    en: ({ at, most }) =>
      `${at} must be a text of at most ${most} characters, without line breaks, control characters, separators and quotation marks`,
    tr: ({ at, most }) =>
      `${at} en çok ${most} karakterlik bir metin olmalı; satır sonu, denetim karakteri, ayırıcı ve tırnak içermemeli`,
  },
  layout_pad_wrong: {
    en: ({ at }) => `${at} may be 0 only for numbers that are aligned right`,
    tr: ({ at }) => `${at} yalnız sağa yaslı sayılarda 0 olabilir`,
  },
  layout_comma_wrong: {
    en: ({ at }) => `${at} must not be comma where the separator is a comma`,
    tr: ({ at }) => `${at}: ayırıcı virgülse ondalık virgül kullanılamaz`,
  },
  layout_digits_many: {
    en: ({ at, most }) => `${at}: labels and codes may have ${most} digits at most, so that none hides an account`,
    tr: ({ at, most }) =>
      `${at}: başlıklarda ve kodlarda toplam en çok ${most} rakam olabilir; daha uzunu bir hesap gizleyebilir`,
  },
  layout_codes_wrong: {
    en: ({ at }) =>
      `${at} must be short texts for a rail or a purpose, or TL for the currency TRY, without line breaks, separators and quotation marks`,
    tr: ({ at }) =>
      `${at} yalnız kanal ve amaç için kısa metinler ya da TRY için TL olabilir; satır sonu, ayırıcı ve tırnak içermemeli`,
  },
}

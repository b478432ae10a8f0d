import type { StepReason } from '../../../domain/books/index.ts'

/** Why this step, and not the one that a person would expect. */
export const BECAUSE_TR: Record<StepReason, string> = {
  part_taken_back:
    'Banka bu ödemenin bir kısmını geri aldı: borcu alacak olarak kaydedin, sonra satıcının bakiyesinden alın.',
  refund_paid: 'Yatırımın iadesi ödenmiş: önce borç bankadan alacak yazılır, sonra satıcının bakiyesinden alınır.',
  part_of_unexplained:
    'Banka alacağın bir kısmını geri aldı: borcu “bankadan alacak” yazın; alacak onu kapatır, kalanı askıda kalır.',
  refund_is_sent: 'Yatırımın iadesi gönderiliyor; sonucunu bekleyin.',
  refund_first: 'Önce yatırımın iadesi durdurulmalı.',
  no_credit_covers_it: 'Bankaya sorun; geri gelmeyecek tutar masraf yazılır.',
  debit_first: 'Banka çekim tutarından fazlasını borç yazdı: önce o borcu kaydedin.',
  second_debit_first:
    'Çekim için bir kez daha borç yazılmış; bu tutar onun iadesi olabilir. Bankaya sorun ve önce o borcu alacak olarak yazın; sonra bu satır alacağı kapatır, gelmeyecek kısım masraf yazılır.',
  ask_bank: 'Bankaya sorun. Bankada yalnızca sonraki satır geçerliyse bu satır defterden çıkarılır.',
  not_shown:
    'Satır kesinleşmedi, gün sonu ekstresinde yok: para geri gönderilemez. Ekstreyi yükleyin veya bankaya sorun; banka böyle bir hareket bilmiyorsa satır geçersizdir.',
  split_first: 'Ödeme birkaç yatırıma bölünmüş. Önce bölmeyi geri alın; yatırımlar parayı kaybeder.',
  storno_cancelled:
    'Banka bu yatırımın ödemesini geri almıştı, bu satır onu yeniden veriyor olabilir: yatırım yeniden tamamlanır.',
  takes_no_more: 'Bu kodun yatırımı sonuçlanmış, başka para almaz: ikinci ödemeyse gönderene iade edilir.',
  explain_first: 'Gönderen bu parayı daha önceki iadeden almış olabilir.',
}

export const BECAUSE_EN: Record<StepReason, string> = {
  part_taken_back:
    'The bank took a part of this payment back: book the debit as owed, then take it from the merchant’s balance.',
  refund_paid:
    "The refund of the deposit was paid: book the debit as owed by the bank, then take it from the merchant's balance.",
  part_of_unexplained:
    'The bank took a part of the credit back: book the debit as owed; the credit then settles it, and what is left stays in suspense.',
  refund_is_sent: 'The refund of the deposit is being sent; wait for the outcome.',
  refund_first: 'The refund of the deposit must be stopped first.',
  no_credit_covers_it: 'Ask the bank; what will not come back is a charge.',
  debit_first: 'The bank debited the payout with more: book that debit first.',
  second_debit_first:
    'The payout was debited again, and this may give that back. Ask the bank, and book that debit as owed first; then this settles it, and what will not come back is a charge.',
  ask_bank: 'Ask the bank. If it counts only the later line, this is taken out of the books.',
  not_shown:
    'The line is not confirmed, no final statement contains it: its money cannot be sent back. Import the statement, or ask the bank; if it does not know the booking, the line is not valid.',
  split_first: 'The payment was split over several deposits. Take that entry back first; they lose the money.',
  storno_cancelled:
    'The bank took the payment of this deposit back, and this may give it again: the deposit is completed once more.',
  takes_no_more:
    'The deposit of this code has ended and takes no more money: a second payment is refunded to its sender.',
  explain_first: 'The sender may have this money already, from an earlier refund.',
}

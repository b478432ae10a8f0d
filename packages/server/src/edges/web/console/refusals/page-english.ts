/**
 * English for pages, where a refusal without its command would not be a whole text, or a page names a button or another page instead.
 * Keys as in `PHRASES`; `{1}` is the first value.
 */
export const PAGE_ENGLISH: Readonly<Record<string, string>> = {
  'Line {} is not confirmed: no final statement of the bank contains it. Its money cannot be sent away. Import the statement of {}. If the bank does not know the booking, two people dismiss the line: vezne line dismiss {}':
    'Line {1} is not confirmed: no final statement of the bank contains it. Its money cannot be sent away. Import the statement of {2}. If the bank does not know the booking, two people dismiss the line.',
  'Line {} is not confirmed: the statement of {} (file {}) does not contain it. Its money cannot be sent away. Ask the bank. If it does not know the booking, two people dismiss the line: vezne line dismiss {}':
    'Line {1} is not confirmed: the statement of {2} (file {3}) does not contain it. Its money cannot be sent away. Ask the bank. If it does not know the booking, two people dismiss the line.',
  'The import cannot be undone: it confirms line {}, whose money was refunded. Stop the refund first, if it is not sent: vezne withdrawal stop':
    'The import cannot be undone: it confirms line {1}, whose money was refunded. Stop the refund first, if it is not sent.',
  'Line {} shows line {}, which was entered by hand and whose money was refunded. Stop the refund first, if it is not sent: vezne withdrawal stop':
    'Line {1} shows line {2}, which was entered by hand and whose money was refunded. Stop the refund first, if it is not sent.',
  'People had entered this line. Enter it again: vezne line enter':
    'People had entered this line. Enter it again: Statements, “Enter a line by hand”.',
  'Line {} ({}) has the same account, direction, amount, day and sender: it may be this booking. See: vezne line show {}. If it is another payment, enter the line again with --besides {}':
    'Line {1} ({2}) has the same account, direction, amount, day and sender: it may be this booking. If it is another payment, enter the line again and tick that one.',
  'The account has no source of record. Name it first: vezne account connect':
    'The account has no source of record. Choose its connection on the page Banks first.',
  'Vezne has no record that {} said this as it is stored. It counts for nothing: reject it, propose it again, and run vezne doctor.':
    'Vezne has no record that {1} said this as it is stored. It counts for nothing: reject it, propose it again, and tell the person who runs Vezne.',
  'Vezne cannot record this: there is a mark in its place that it did not write. Another person must decide; run vezne doctor.':
    'Vezne cannot record this: there is a mark in its place that it did not write. Another person must decide; tell the person who runs Vezne.',
  'Vezne has not recorded this: someone else has written a row in its place. Try again, and run vezne doctor.':
    'Vezne has not recorded this: someone else has written a row in its place. Try again, and tell the person who runs Vezne.',
  'Vezne has no record that {} imported file {} as it is stored. Nothing of it is booked: undo it, and run vezne doctor.':
    'Vezne has no record that {1} imported file {2} as it is stored. Nothing of it is booked: undo it, and tell the person who runs Vezne.',
  '{} is disabled ({}). Enable it first: vezne endpoint enable': '{1} is disabled ({2}). It must be enabled first.',
  'The withdrawal waits for approval. Reject it: vezne withdrawal reject {}':
    'The withdrawal waits for approval. Reject it on the page Approvals.',
  'It has changed since it was proposed or since you saw it. Look again: vezne change show {}. If it stays so, reject it and propose it again.':
    'It has changed since it was proposed or since you saw it. Look at it again; if it stays so, reject it and propose it again.',
  'Say who decides: --as NAME. See: vezne operator list': 'It is not known who decides.',
  'There is no operator {}. Add one: vezne operator add {} --role ROLE':
    'There is no person {1}. An admin adds people on the page People.',
  '{} has no open invitation. Invite the person: vezne operator invite {}':
    '{1} has no open invitation. Invite the person again.',
  '{} has no login. Invite the person: vezne operator invite {}': '{1} has no login. An admin must invite the person.',
  '{} has no role admin. Give it: vezne operator roles {} --role admin': '{1} does not have the role admin.',
  'The deposit asks for {} and would be completed with {}. If that is right, name it: --received {}':
    'The deposit asks for {1} and would be completed with {2}. Tick the box if that is right.',
  'The line is held for deposit {}. Free it first: vezne line suspend {}':
    'The line is held for deposit {1}. Put it into suspense first.',
  'The first line {} is held for deposit {}. Free it first: vezne line suspend {}':
    'The first line {1} is held for deposit {2}. Put it into suspense first.',
  '{} is held for deposit {}. Free it first: vezne line suspend':
    '{1} is held for deposit {2}. Put its line into suspense first.',
  '{} came, {} had left. A return must equal its payout; of one less costs two people say who bears them: vezne journal propose return_with_costs; of one in several credits that together make it: vezne journal propose payout_return':
    '{1} came, {2} had left. A return must equal its payout. If costs were taken off, or it came in several credits, propose it as a journal entry.',
  '{} came, {} had left. A return must equal its payout; of one less costs two people say who bears them: vezne journal propose return_with_costs; of one in several credits that together make it: vezne journal propose payout_return; of one with what the bank had debited besides: vezne journal propose payout_return --settles ENTRY, or --charge KURUS':
    '{1} came, {2} had left. A return must equal its payout. If costs were taken off, it came in several credits, or it has what the bank had debited besides, propose it as a journal entry.',
  'A suspected correction is decided with: vezne line correction':
    'It is a suspected correction: say first what it is.',
  'The import cannot be undone: line {} belongs to journal entry {}. If the bank does not count the line, two people reverse that first: vezne journal reverse {}, then dismiss the line: vezne line dismiss {}':
    'The import cannot be undone: line {1} belongs to journal entry {2}. If the bank does not count the line, propose to take that entry back; once another person has approved, dismiss the line.',
  'The import cannot be undone: line {} is matched to {}. If the bank does not count the line, two people take the match back first: vezne journal propose unmatch, then dismiss the line: vezne line dismiss {}':
    'The import cannot be undone: line {1} is matched to {2}. If the bank does not count the line, propose to take the match back; once another person has approved, two people dismiss the line.',
  'The import cannot be undone: line {} is held for {}. If the bank does not count the line, free it first: vezne line suspend {}, then two people dismiss it: vezne line dismiss {}':
    'The import cannot be undone: line {1} is held for {2}. If the bank does not count the line, put its money in suspense; then two people dismiss it.',
  'The import cannot be undone: line {} has a proposal of {} that waits ({}). It is rejected or taken back first: vezne journal reject {} --why TEXT':
    'The import cannot be undone: line {1} has a proposal of {2} that waits. First {2} takes it back, or another person rejects it (Approvals).',
  'The import cannot be undone: line {} waits for a second person, after {}. A second person says the same, or it is taken back first: vezne line dismiss {} --end':
    'The import cannot be undone: line {1} waits for a second person, after {2}. First a second person says the same, or the proposal is taken back (Approvals).',
  'The import cannot be undone: line {} was decided by {}. If the bank does not count the line, two people dismiss it first: vezne line dismiss {}':
    'The import cannot be undone: line {1} was decided by {2}. If the bank does not count the line, two people dismiss it first.',
  '{} has said that the bank does not count line {}. A second person says so, too, or it is taken back first: vezne line dismiss {} --end':
    '{1} has said that the bank does not count line {2}. First a second person says so, too, or the proposal is taken back (Approvals).',
  'The first line {} belongs to journal entry {}. If the bank counts this one instead, two people take that back: vezne journal reverse {}, then {}. {}':
    'The first line {1} belongs to journal entry {2}. If the bank counts this one instead, propose to take that entry back; once another person has approved, this one replaces the first. If the bank counts the first, dismiss this one; if it counts both, this one is other money.',
  'The first line {} was credited to deposit {}. If the bank counts this one instead, two people take that back: vezne journal propose unmatch --deposit {} --to processing, then {}, then vezne line match {} {}. {}':
    'The first line {1} was credited to deposit {2}. If the bank counts this one instead, propose to take that match back; once another person has approved, this one replaces the first and is matched with the deposit. If the bank counts the first, dismiss this one; if it counts both, this one is other money.',
  'The first line {} is the return of payout {}. If the bank counts this one instead, two people take that back: vezne journal propose unmatch --withdrawal {}, then {}. {}':
    'The first line {1} is the return of payout {2}. If the bank counts this one instead, propose to take the return back; once another person has approved, this one replaces the first. If the bank counts the first, dismiss this one; if it counts both, this one is other money.',
  'The bank has given this booking: line {} is not booked because this one is. To book that one instead: vezne line correction {} --replaces':
    'The bank has given this booking: line {1} is not booked because this one is. To book that one instead, open it and say that it replaces this one.',
  "Line {} on a statement names the payout: it may have been sent. Look at it first: vezne find {}. If it is the payout's, say found, or assign it: vezne line sent {} --withdrawal {}. If the bank says that it is not, both people say so: --not-line={}":
    'Line {1} on a statement names the payout: it may have been sent. Look at the line first: its card on the page Unknown payouts links it. If it is the payout’s, report “Found”, or choose the payout on the page of the line. If the bank says that it is not, both people tick that on the card.',
  'Neither the bank nor a statement of the day and the next business day shows that it was not sent. If you are sure all the same, confirm it: --unproven':
    'Neither the bank nor a statement of the day and the next business day shows that it was not sent. If you are sure all the same, tick that.',
  'The payout is in an order file that the bank {}. Cancel that first: vezne batch cancel {}':
    'The payout is in an order file that the bank may still fetch ({2}). Cancel that file first: the link “Order file” on its card.',
  'The batch is cancelled already, by {} at {}. Its payouts leave in another batch: vezne batch show {}':
    '{1} has cancelled the file already. Its payouts leave in another file.',
  '{} is no longer in outbox/ (fetched, seen at {}): the bank may have it. {} If the bank says that it does not have it, put it back into outbox/ and cancel again; else wait for its report or statement: vezne batch show {}':
    '{1} was fetched: the bank may have it. {3} If the bank says that it does not have it, the person who runs the machines puts it back into the folder; then cancel again. Else wait for the report or statement of the bank.',
  'The folder {} cannot be used: {}. It needs staging/ and outbox/, on one file system. Run commands about it on the machine of the workers.':
    'The folder of order files cannot be used from this machine ({1}). Tell the person who runs the machines.',
  '{} The cancellation is recorded: workers finish it when the folder can be used, and so does vezne batch retry {}':
    '{1} The cancellation is recorded, and ends by itself when the folder can be used.',
  '{}. Cancel the batch, then its other payouts leave in another: vezne batch cancel {}':
    '{1}. Cancel the file: its other payouts then leave in another.',
  'Payout {} in it is in doubt ({}) and must not be sent': 'Payout {1} in it is in doubt and must not be sent',
  '{} was not imported: {}{} If it is right all the same: --accept-problems REASON':
    '{1} was not imported: {2}{3} If it is right all the same, say why.',
  'File {}, imported later, has the same days; lines of both are booked from this one. Undo that first: vezne statement undo {}':
    'File {1}, imported later, has the same days; lines of both are booked from this one. Undo the later one first.',
  'Not proven: the bank gave no balance of {} for {}, and it usually does. Import the statement of {} or of the next day, or both people accept it with --why TEXT.':
    'Not proven: the bank gave no balance of {1} for {2}, and it usually does. Import the statement of {3} or of the next day, or both people accept it and say why.',
  'Not everything is explained on {}. See: vezne books day {}. Both people may accept it with --why TEXT.':
    'Not everything is explained on {1}. Both people may accept it and say why.',
  'No one has proposed to close {}. Propose it without --figures.':
    'No one has proposed to close {1} yet: propose that first.',
  '{} less arrived than left: more than a bank charges for a transfer (5 % and 100,00 TL at most). If the bank says that they are one transfer, the debit is owed to us, the credit settles it, and the rest is written off: {}, then vezne journal propose bank_charge --settles ENTRY':
    '{1} less arrived than left: more than a bank charges for a transfer (5 % and 100,00 TL at most). If the bank says that they are one transfer, propose the debit as owed to us; the credit settles it, and the rest is written off as a charge.',
  'Line {} shows another IBAN than that of our account of line {}: these are not two sides of one transfer. See what it is: vezne line candidates {}. If the bank says that they are one transfer, the debit is owed to us, and the credit settles it: {}':
    'Line {1} shows another IBAN than that of our account of line {2}: these are not two sides of one transfer. If the bank says that they are one transfer, propose the debit as owed to us; the credit settles it.',
  'must sum to the line: it has {}, the parts and the rest have {}. What is for no deposit: --rest KURUS':
    'must sum to the line: it has {1}, the parts and the rest have {2}. Write what is for no deposit as the rest.',
  '{}: {} is missing. It may come in a later line; until then these wait in review (vezne line list --state needs_review). If the bank says that no more comes, see docs/payouts.md, "A payout in several lines".':
    '{1}: {2} is missing. It may come in a later line; until then these wait in review.',
  '{} came, {} is still owed: this line is not, or not only, its return. What is left of it stays in suspense: --rest KURUS':
    '{1} came, {2} is still owed: this line is not, or not only, its return. Write what is left of it as the rest; that stays in suspense.',
  'The {} bore the costs, and gets what comes later: --costs {}':
    'The {1} bore the costs, and gets what comes later: choose the same here.',
  'Line {} {} of payout {}, which {}. If it is its debit, {}. If the bank confirms that it is not, propose it with --not-payout {}':
    'Line {1} {2} of payout {3}, which {4}. If it is its debit, record it as that from the candidates. If the bank confirms that it is not, write {6} into the field “Transaction id of a withdrawal whose debit or return it is not”.',
  'Line {} names several payouts that lack their debit. If it is the debit of all of them: vezne journal propose payout_debit --line {} {}. If the bank confirms that it is not that of payout {}, propose it with --not-payout {}':
    'Line {1} names several payouts that lack their debit. If it is the debit of all of them, propose it as one debit of several withdrawals. If the bank confirms that it is not that of payout {4}, write that one into the field “Transaction id of a withdrawal whose debit or return it is not”.',
  'Line {} has account and amount of payout {}, and its recipient as sender: it may be its return. If it is: vezne line return {} --withdrawal {}. If the bank confirms that it is not, propose it with --not-payout {}':
    'Line {1} has account and amount of payout {2}, and its recipient as sender: it may be its return. If it is, record it as that from the candidates. If the bank confirms that it is not, write {5} into the field “Transaction id of a withdrawal whose debit or return it is not”.',
  'Line {} may not be the return of payout {}: propose it without --not-payout {}':
    'Line {1} may not be the return of payout {2}: take it out of the field “Transaction id of a withdrawal whose debit or return it is not”.',
  'No line here may be the debit of payout {}, which is {}: propose it without --not-payout {}':
    'No line here may be the debit of payout {1}, which is {2}: take it out of the field “Transaction id of a withdrawal whose debit or return it is not”.',
  'must be an entry whose rest is in suspense, without --line. See: vezne journal rests':
    'must be an entry whose rest is in suspense',
  'Line {} is the debit of payout {}, with more. Book it first: vezne journal propose {} --line {} --withdrawal {}. Line {} is then its return: vezne journal propose payout_return --line {} --withdrawal {} {}':
    'Line {1} is the debit of payout {2}, with more. Propose that one first; line {6} is its return then.',
  'The return of this payout has its line already. If the bank took that back since: vezne line candidates {}':
    'The return of this payout has its line already. If the bank took that back since, look at the candidates of the line.',
  'The lines differ: {} here, {} on the first, {}. Look up which one the bank counts. If this one, it replaces the first: vezne line correction {} --replaces. If the first, two people dismiss this one: vezne line dismiss {}':
    'The lines differ: {1} here, {2} on the first, {3}. Look up which one the bank counts. If this one, it replaces the first; if the first, two people dismiss this one.',
  'The line has no more than the payout. Its return: vezne line return {} --withdrawal {}':
    'The line has no more than the payout. Record it as the return of the payout.',
  '{}, and {} was booked as a charge for it: --charge must be all that is more, and no more than that. What no one can explain stays in suspense: --rest KURUS':
    '{1}, and {2} was booked as a charge for it: the charge must be all that is more, and no more than that. Write what no one can explain as the rest; that stays in suspense.',
  '{} came, {} was ordered: more cannot come back than was sent. If the bank had debited more, say what the rest is: --settles ENTRY, if that is owed to us, or --charge, if it was a charge. What no one can explain stays in suspense: --rest KURUS':
    '{1} came, {2} was ordered: more cannot come back than was sent. If the bank had debited more, say what the rest is: owed to us, or a charge. Write what no one can explain as the rest; that stays in suspense.',
  '{} Take the return back (vezne journal propose unmatch --withdrawal {}); if the bank says that it is the return, two people say so then: vezne journal propose payout_return':
    '{1} Propose to take the return back; if the bank says that it is the return, propose it as the return of a withdrawal then.',
  '{} has settled it. Take that back first: vezne journal reverse {}':
    '{1} has settled it. Propose to take that back first.',
}

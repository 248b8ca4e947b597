/** What the model may expect of the parts under test, in one place. */

/** What a document knew outlives it: the next one of the tab answers for it. Without, it is another page. */
export const DOCUMENTS_REMEMBER: boolean = true;

/** An acknowledgment that a connection took with it goes out again before its outcome does. */
export const ACKNOWLEDGMENTS_RETURN: boolean = false;

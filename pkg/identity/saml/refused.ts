/** A document that is not taken. The message is for the log, and has no text of the document. */
export class XmlRefused extends Error {}

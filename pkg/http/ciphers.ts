/**
 * The ciphers of TLS 1.3, and those of TLS 1.2 that have forward secrecy and authenticated encryption (AEAD), as
 * Mozilla's intermediate configuration lists them. There is none with CBC. HTTP/2 forbids the others, and needs
 * ECDHE-RSA-AES128-GCM-SHA256 (RFC 9113 §9.2.2).
 */
export const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

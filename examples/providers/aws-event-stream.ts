/**
 * One message in Amazon's binary event-stream form: lengths, headers, payload, each part closed by a CRC-32.
 *
 * @see https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html
 */
export function encodeEvent(type: string, payload: unknown): Buffer {
  return encode(
    { ":message-type": "event", ":event-type": type, ":content-type": "application/json" },
    payload,
  );
}

const PRELUDE = 12;
const STRING = 7;

function encode(fields: Record<string, string>, payload: unknown): Buffer {
  const headers = Buffer.concat(Object.entries(fields).map(([name, value]) => header(name, value)));
  const body = Buffer.from(JSON.stringify(payload), "utf8");
  const message = Buffer.alloc(PRELUDE + headers.length + body.length + 4);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  headers.copy(message, PRELUDE);
  body.copy(message, PRELUDE + headers.length);
  message.writeUInt32BE(crc32(message.subarray(0, -4)), message.length - 4);
  return message;
}

function header(name: string, value: string): Buffer {
  const text = Buffer.from(value, "utf8");
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name, "utf8"),
    Buffer.from([STRING]),
    length,
    text,
  ]);
}

// node:zlib has one only since Node 20.15
const CRC = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ (CRC[(value ^ byte) & 0xff] as number);
  return (value ^ 0xffffffff) >>> 0;
}

/** Charts as files, and handing a file to the user. */
import { ChartError } from './chart-error.js';

export const MEDIA_TYPES = { svg: 'image/svg+xml', png: 'image/png', pdf: 'application/pdf', csv: 'text/csv' };

/** @param {string} svg @returns {Promise<Blob>} PNG or, for a PDF, JPEG */
export async function rasterOf(svg, width, height, type) {
  const url = URL.createObjectURL(new Blob([svg], { type: MEDIA_TYPES.svg }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d').drawImage(image, 0, 0, width, height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, type, 0.92));
    if (blob) return blob;
    throw new ChartError('dataviz:too_large', `This browser makes no picture of ${width} × ${height}.`);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** One page with one picture on it. @param {Blob} jpeg of this width and height */
export function pdfOf(jpeg, width, height) {
  const parts = [];
  const offsets = [];
  let length = 0;
  const write = (part) => {
    parts.push(part);
    length += typeof part === 'string' ? part.length : part.size;
  };
  const object = (head, stream) => {
    offsets.push(length);
    write(`${offsets.length} 0 obj\n${head}\n`);
    if (stream !== undefined) {
      write('stream\n');
      write(stream);
      write('\nendstream\n');
    }
    write('endobj\n');
  };
  const drawing = `q ${width} 0 0 ${height} 0 0 cm /Chart Do Q`;
  write('%PDF-1.4\n');
  object('<< /Type /Catalog /Pages 2 0 R >>');
  object('<< /Type /Pages /Kids [3 0 R] /Count 1 >>');
  object(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R `
    + '/Resources << /XObject << /Chart 5 0 R >> >> >>');
  object(`<< /Length ${drawing.length} >>`, drawing);
  object(`<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB `
    + `/BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.size} >>`, jpeg);
  const table = length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  write(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${entries.join('')}`);
  write(`trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return new Blob(parts, { type: MEDIA_TYPES.pdf });
}

/** Addresses of files that were handed out. The oldest are let go of: each keeps its file in memory. */
const handedOut = [];
const KEPT = 10;

/** @param {Blob} blob */
export function addressOf(blob) {
  const url = URL.createObjectURL(blob);
  if (handedOut.push(url) > KEPT) URL.revokeObjectURL(handedOut.shift());
  return url;
}

/** Starts a download, as a click on a link does. */
export function download(url, name) {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

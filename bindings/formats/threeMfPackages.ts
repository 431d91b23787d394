// The packages that read the archive and the XML of 3MF files. The build bundles them into this file.
export { SAXParser } from 'sax';
export { fromBufferPromise } from 'yauzl';

/** Parts of the reports of all comparisons: the machine, and medians. */
package io.zarrengine.bench.report;

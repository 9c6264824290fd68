# Write the scores of every system into a file of its own, and all scores into one file. Run this in the
# folder where the paths of the settings start: make -f docs/how-to/campaign.mk
SETTINGS ?= fixtures/demo/settings.xml
SYSTEMS ?= extract lead random
OPTIONS ?= -n 2 -m -2 4 -u
OUT ?= build/campaign

CAMPAIGN := $(lastword $(MAKEFILE_LIST))
SCORES := $(SYSTEMS:%=$(OUT)/%.out)
# Check the settings. Write the files that this system needs (.d), and its part of the settings (.xml).
# A part that has not changed keeps its time.
CHECK = rouge-cli settings --check $(SETTINGS) --system $* -o $(OUT)/$*.xml \
	--depfile $(OUT)/$*.d --target $(OUT)/$*.out
export SETTINGS SYSTEMS OPTIONS

.DELETE_ON_ERROR:
.PHONY: all clean FORCE
all: $(OUT)/campaign.out

$(OUT)/campaign.out: $(SCORES) $(OUT)/SYSTEMS
	cat $(SCORES) > $@

# Check again, because summaries can change without the settings. A missing summary stops make.
$(OUT)/%.out: $(OUT)/OPTIONS $(CAMPAIGN) | $(OUT)/%.d
	$(CHECK)
	ROUGE-1.5.5.pl $(OPTIONS) $(OUT)/$*.xml $* > $@

# The last lines include this file, so make writes it first if it is missing or older than the settings.
$(OUT)/%.d: $(SETTINGS) $(OUT)/SETTINGS
	@mkdir -p $(@D)
	$(CHECK)

# A file contains the variable of its name. It is written if the variable changes, also on the command line.
$(OUT)/SETTINGS $(OUT)/SYSTEMS $(OUT)/OPTIONS: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$${$(@F)}" | cmp -s - $@ || printf '%s\n' "$${$(@F)}" > $@

clean:
	rm -rf $(OUT)

ifneq ($(MAKECMDGOALS),clean)
include $(SCORES:.out=.d)
endif
